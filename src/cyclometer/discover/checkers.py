# SPDX-License-Identifier: MIT OR Apache-2.0
"""The measuring compilers with the changes that a checker, such as Valgrind, needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cyclometer.discover import schema, toml_files
from cyclometer.records.catalogue import Compiler


def compilers_for_checker(
    compilers: Iterable[Compiler], tree: Path, checker: str, cpu_flags: Iterable[str]
) -> tuple[Compiler, ...]:
    """Return the compilers with the changes that toolchains/checkers/<checker>.toml declares."""
    declared = toml_files.read(schema.Checker, tree / "toolchains" / "checkers" / f"{checker}.toml")
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
