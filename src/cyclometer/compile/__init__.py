# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 2: executables, one per (implementation, compiler), cached by content.

The implementation's own files are compiled by the compiler under test; the
harness, the checks and the timed loops by one and the same base compiler, so
that they are no variable of the comparison.
"""

from cyclometer.choose.screening import MANY_PAIRS, MAX_EXHAUSTIVE_SYSTEMS, ahead, first_heat, second_heat, uncompiled
from cyclometer.compile.builder import Builder, Request
from cyclometer.compile.cache import Cache
from cyclometer.compile.contracts import contracts
from cyclometer.compile.packages import versions
from cyclometer.compile.requests import check_names, requests, tuned_first, with_compilers
from cyclometer.compile.toolchain import working

__all__ = [
    "MANY_PAIRS",
    "MAX_EXHAUSTIVE_SYSTEMS",
    "Builder",
    "Cache",
    "Request",
    "ahead",
    "check_names",
    "contracts",
    "first_heat",
    "requests",
    "second_heat",
    "tuned_first",
    "uncompiled",
    "versions",
    "with_compilers",
    "working",
]
