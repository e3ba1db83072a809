# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the formats of raw samples share: the order of rows, and the way to a stream."""

from __future__ import annotations

import shutil
from typing import BinaryIO, Literal

from cyclometer.paths import temporary_folder
from cyclometer.records.rounds import ExportSource

ORDER = ("machine", "run", "operation", "primitive", "implementation", "compiler", "control", "round", "sequence")
"""The order in which samples were taken, process by process."""


def copy_samples(exported: ExportSource, kind: Literal["csv", "parquet"], stream: BinaryIO) -> None:
    """Write the samples to the stream, by way of a temporary file."""
    with temporary_folder("export") as folder:
        path = folder / "samples"
        exported.copy(kind, ORDER, path)
        with path.open("rb") as file:
            shutil.copyfileobj(file, stream)
