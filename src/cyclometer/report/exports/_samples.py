# SPDX-License-Identifier: MIT OR Apache-2.0
"""The schema and order of rows that the formats of raw samples share."""

from __future__ import annotations

import pyarrow as pa

from cyclometer.records.run import SAMPLES

ORDER = ("machine", "run", "operation", "primitive", "implementation", "compiler", "control", "round", "sequence")
"""The order in which samples were taken, process by process."""


def schema_of() -> pa.Schema:
    """Return the columns of exported samples."""
    fields = [("sequence", pa.int32()), ("cycles", pa.float64()), ("disturbed", pa.bool_())]
    schema = SAMPLES
    for name, kind in fields:
        schema = schema.append(pa.field(name, kind))
    return schema
