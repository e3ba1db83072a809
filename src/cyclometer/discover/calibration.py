# SPDX-License-Identifier: MIT OR Apache-2.0
"""The calibration: code of known cost that is built and timed like a primitive, but belongs to the harness."""

from __future__ import annotations

from pathlib import Path

from cyclometer.discover.native import read_operation
from cyclometer.records.catalogue import Implementation, Operation, Primitive
from cyclometer.records.run import CALIBRATION


def read_calibration(tree: Path) -> tuple[Operation, Primitive, Implementation]:
    """Read harness/calibration."""
    folder = tree / "harness" / CALIBRATION
    primitive = Primitive(
        operation=CALIBRATION, name="chain", folder=folder, sizes={}, associated_data=False, facts={}, vectors=()
    )
    implementation = Implementation(
        operation=CALIBRATION, primitive=primitive.name, name="ref", folders=(folder,), sources=(folder / "calls.c",)
    )
    return read_operation(folder), primitive, implementation
