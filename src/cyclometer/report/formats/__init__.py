# SPDX-License-Identifier: MIT OR Apache-2.0
"""One module a format, found by its file name; markdown.py is the shortest to begin a new one from."""
