# SPDX-License-Identifier: MIT OR Apache-2.0
"""python -m cyclometer"""

from cyclometer.cli import main

main()
