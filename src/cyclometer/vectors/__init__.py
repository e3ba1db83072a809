# SPDX-License-Identifier: MIT OR Apache-2.0
"""Readers of vector files, and templates of the requests made from them."""
