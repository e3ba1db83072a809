# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the formats of raw samples share."""

from __future__ import annotations

import pyarrow as pa

from cyclometer.records.run import SAMPLES

ORDER = ("machine", "run", "operation", "primitive", "implementation", "compiler", "control", "round", "sequence")
"""As they were taken, process by process."""


def schema_of() -> pa.Schema:
    """The columns of exported samples where there is none to see them from."""
    fields = [("sequence", pa.int32()), ("cycles", pa.float64()), ("disturbed", pa.bool_())]
    schema = SAMPLES
    for name, kind in fields:
        schema = schema.append(pa.field(name, kind))
    return schema
