# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compilers as a checker wants them: what is checked is the code that they make, not another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cyclometer.discover import schema as declare
from cyclometer.records.catalogue import Compiler


def checking(compilers: Iterable[Compiler], tree: Path, checker: str, cpu_flags: Iterable[str]) -> tuple[Compiler, ...]:
    """The compilers of the tree with the changes of toolchains/checkers/<checker>.toml."""
    declared = declare.read(declare.Checker, tree / "toolchains" / "checkers" / f"{checker}.toml")
    cpu = tuple(sorted(set(cpu_flags) - set(declared.lacks.features)))
    return tuple(
        replace(
            compiler,
            flags=(*(declared.replace.get(flag, flag) for flag in compiler.flags), *declared.flags),
            debian=declared.debian,
            emulator=tuple(declared.emulator),
            cpu=cpu,
            unlimited=True,
            checker_flags=tuple(declared.flags),
        )
        for compiler in compilers
    )
