# SPDX-License-Identifier: MIT OR Apache-2.0
"""Formats that hold the verdicts of a comparison and nothing else, for systems of continuous integration."""
