# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 3: nothing is timed before it is right.

Published vectors, the operation's property tests, and agreement of all
implementations of a primitive. A wrong executable is a Failure that names the
first case it fails.
"""

from cyclometer.check.constant_time import as_warning, check_constant_time
from cyclometer.check.executables import Independent, check_all, unlike
from cyclometer.check.oracle import has_published
from cyclometer.check.vector_counts import vectors_passed
from cyclometer.check.vectors import VectorFile, all_requests, check_vectors, has_vectors, read_vectors, validate

__all__ = [
    "Independent",
    "VectorFile",
    "all_requests",
    "as_warning",
    "check_all",
    "check_constant_time",
    "check_vectors",
    "has_published",
    "has_vectors",
    "read_vectors",
    "unlike",
    "validate",
    "vectors_passed",
]
