# SPDX-License-Identifier: MIT OR Apache-2.0
"""The output formats of tables, one module per format, found by its file name; markdown.py is a short example."""
