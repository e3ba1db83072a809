# SPDX-License-Identifier: MIT OR Apache-2.0
"""How many published vectors stand behind a tuning that is timed."""

from __future__ import annotations

from collections.abc import Iterable

from cyclometer.check.vectors import vectors_of
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.executable import Executable
from cyclometer.records.run import VECTORS_PASSED, Size


def vectors_passed(executables: Iterable[Executable], catalogue: Catalogue) -> list[Size]:
    """Of executables that passed their check, which is every vector of the primitive's own files."""
    found = []
    for executable in executables:
        subject = executable.subject
        primitive = catalogue.primitives[f"{subject.operation}/{subject.primitive}"]
        number = sum(len(vectors_of(path, primitive).vectors) for path in primitive.vectors)
        found.append(Size(subject=subject, name=VECTORS_PASSED, value=number))
    return found
