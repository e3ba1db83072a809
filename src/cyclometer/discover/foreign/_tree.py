# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a reader of foreign trees says of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cyclometer.records.catalogue import Architecture, ForeignOperation, Operation
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning

_INCLUDE = re.compile(rb'^\s*#\s*include\s*["<]\s*([^">]+?)\s*[">]', re.MULTILINE)
_MAIN = re.compile(rb"^\s*(?:int|void)\s+main\s*\(", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class ForeignTree:
    """A tree, and the part of it that was asked for."""

    kind: str  # the reader's module
    root: Path  # where paths inside the tree count from, and what the sandbox shows
    part: Path  # the folder asked for: the root, an operation, a primitive or an implementation
    label: str  # such as "SUPERCOP 20260330"

    def concerns(self, folder: Path) -> bool:
        """Whether a folder is the part asked for, or lies in it or around it."""
        return folder.is_relative_to(self.part) or self.part.is_relative_to(folder)


@dataclass(frozen=True, kw_only=True)
class ForeignImplementation:
    """An implementation by its names."""

    operation: str
    primitive: str
    name: str
    folder: Path
    skip_reason: str = ""  # why it cannot be used here

    @property
    def key(self) -> str:
        """The primitive's, as in a catalogue."""
        return f"{self.operation}/{self.primitive}"

    def failure(self, reason: str) -> Failure:
        """The record of what is left out."""
        subject = Tuning(operation=self.operation, primitive=self.primitive, implementation=self.name)
        return Failure(stage="discover", subject=subject, kind=FailureKind.SKIPPED, reason=reason)


@dataclass(frozen=True, kw_only=True)
class NativeTree:
    """What the readers of foreign trees need of our own."""

    operations: Mapping[str, Operation]  # those that foreign trees have
    architecture: Architecture
    features: Mapping[str, str]  # CPU flag, as /proc/cpuinfo names it -> feature of toolchains/features

    def names(self, operation: str) -> ForeignOperation:
        """What foreign trees call things of an operation."""
        foreign = self.operations[operation].foreign
        assert foreign
        return foreign


def adapted(operation: str, adapter: Path) -> tuple[str, tuple[Path, ...]]:
    """How our code calls the functions of a foreign tree, and the adapter's glue: foreign_aead, where glue makes our
    crypto_aead of them; else crypto_aead, and none."""
    glue = adapter / operation / f"{operation}.c"
    return (operation.replace("crypto_", "foreign_", 1), (glue,)) if glue.is_file() else (operation, ())


def ancestors(folder: Path) -> Iterator[Path]:
    """The folder, its parent, and so on."""
    yield folder
    yield from folder.parents


def included(text: bytes) -> Iterator[str]:
    """Names of the headers that a C source includes, quoted or not; conditions are not looked at."""
    for name in _INCLUDE.findall(text):
        yield name.decode(errors="replace")


def has_main(text: bytes) -> bool:
    """Whether a C source defines a main function."""
    return bool(_MAIN.search(text))
