# SPDX-License-Identifier: MIT OR Apache-2.0
"""The number of published vectors that each tuning passed."""

from __future__ import annotations

from collections.abc import Iterable

from cyclometer.check.vectors import vector_files, vectors_of
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.executable import Executable
from cyclometer.records.run import VECTORS_PASSED, Size


def vectors_passed(executables: Iterable[Executable], catalogue: Catalogue) -> list[Size]:
    """Return the number of published vectors of each executable that passed its check.

    A check covers every vector of the primitive's files and of the implementation's own.
    """
    sizes = []
    for executable in executables:
        subject = executable.subject
        primitive = catalogue.primitives[f"{subject.operation}/{subject.primitive}"]
        files = vector_files(executable.implementation, primitive)
        number = sum(len(vectors_of(path, primitive).vectors) for path in files)
        sizes.append(Size(subject=subject, name=VECTORS_PASSED, value=number))
    return sizes
