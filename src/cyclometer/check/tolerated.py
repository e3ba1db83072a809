# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which failures of foreign implementations are errors, and which only warnings."""

from __future__ import annotations

from cyclometer.records.failure import FailureKind

# Failures of the lenient property tests that are only warnings. If an oracle or vectors have confirmed the results:
# kinds that make no result wrong and overwrite nothing.
TOLERATED_IF_CONFIRMED = frozenset({FailureKind.SAME_OUTPUT, FailureKind.CALL_FAILED, FailureKind.TIME_LIMIT})
# Failures of the strict property tests that nothing published excuses.
WRONG_UNLESS_CONFIRMED = frozenset(
    {
        FailureKind.FORGERY_ACCEPTED,
        FailureKind.SAME_OUTPUT,
        FailureKind.UNSIGNED_ACCEPTED,
        FailureKind.WRONG_OUTPUT,
    }
)
# Failures of them that are errors in a folder that computes the same as a system of ours: that one has none of them, so
# no property of the function excuses them.
WRONG_BESIDE_OURS = WRONG_UNLESS_CONFIRMED | {
    FailureKind.ABORTED,
    FailureKind.BUFFER_OVERRUN,
    FailureKind.CALL_FAILED,
    FailureKind.CRASH,
    FailureKind.DOES_NOT_RETURN,
    FailureKind.EXITED,
    FailureKind.INPUT_MODIFIED,
    FailureKind.NOT_DETERMINISTIC,
    FailureKind.OUT_OF_BOUNDS,
    FailureKind.SIDE_EFFECT,
    FailureKind.TIME_LIMIT,
    FailureKind.VALID_REJECTED,
}
# If the implementation survived the thousands of calls of a checksum, made between canaries: kinds that only calls
# can cause which the tree's own test does not make.
TOLERATED_AFTER_CHECKSUM = frozenset(
    {
        FailureKind.CALL_FAILED,
        FailureKind.VALID_REJECTED,
        FailureKind.CRASH,
        FailureKind.OUT_OF_BOUNDS,
        FailureKind.ILLEGAL_INSTRUCTION,
        FailureKind.ABORTED,
        FailureKind.EXITED,
        FailureKind.TIME_LIMIT,
    }
)
# If such a checksum is published, and right: the tree's own test knows which changes the implementation accepts.
TOLERATED_IF_BOTH = frozenset({FailureKind.FORGERY_ACCEPTED, FailureKind.UNSIGNED_ACCEPTED})
NONE: frozenset[FailureKind] = frozenset()
