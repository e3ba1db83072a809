# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tunings that were chosen although disturbed timings leave open whether another is faster."""

from __future__ import annotations

from cyclometer.records.tuning import NOISE

TUNING = "run, machine, operation, primitive, implementation, compiler"
"""The columns that name a tuning of a run."""

UNCLEAR_TUNINGS = f"""
SELECT {TUNING} FROM trials
WHERE chosen AND (run, machine, operation, primitive) IN (
    SELECT (run, machine, operation, primitive) FROM trials WHERE decided_by = '{NOISE}')
"""
"""A query for the columns of TUNING. Needs the view trials."""
