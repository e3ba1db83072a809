# SPDX-License-Identifier: MIT OR Apache-2.0
"""Comparing two systems or runs: sides, ratios, crossovers and the verdict in words."""
