# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 2: executables, one per (implementation, compiler), cached by content.

The implementation's own files are compiled by the compiler under test; the
harness, the checks and the timed loops by one base compiler, so that they do
not differ between the executables that are compared.
"""

from cyclometer.compile.build_tool import first_error
from cyclometer.compile.builder import Builder
from cyclometer.compile.cache import Cache
from cyclometer.compile.contracts import contracts
from cyclometer.compile.packages import versions
from cyclometer.compile.requests import build_requests, check_names, dependency_levels, with_compilers
from cyclometer.compile.toolchain import working

__all__ = [
    "Builder",
    "Cache",
    "build_requests",
    "check_names",
    "contracts",
    "dependency_levels",
    "first_error",
    "versions",
    "with_compilers",
    "working",
]
