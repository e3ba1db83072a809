# SPDX-License-Identifier: MIT OR Apache-2.0
"""From samples to numbers: core cycles, cells, intervals, ranks and the A/A control."""
