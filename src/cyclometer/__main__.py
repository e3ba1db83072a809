# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run the command line: `python -m cyclometer`."""

from cyclometer.cli import main

main()
