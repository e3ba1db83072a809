# SPDX-License-Identifier: MIT OR Apache-2.0
"""The measuring compilers with the changes that a checker, such as Valgrind, needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cyclometer.discover import schema, toml_files
from cyclometer.records.catalogue import Catalogue, Compiler, Implementation

FOLLOWS_SECRETS = "constant-time"
"""The checker that follows secrets."""


def followable(catalogue: Catalogue, tree: Path) -> Catalogue:
    """Return the catalogue without implementations whose secrets cannot be followed, as the checker lacks a feature.

    A primitive that has nothing else keeps them.
    """
    lacking = set(_declared(tree, FOLLOWS_SECRETS).lacks.features)

    def fits(implementation: Implementation) -> bool:
        return not any(catalogue.features[need].cpuinfo in lacking for need in implementation.needs)

    fitting = {(each.operation, each.primitive) for each in catalogue.implementations if fits(each)}
    kept = [i for i in catalogue.implementations if fits(i) or (i.operation, i.primitive) not in fitting]
    return replace(catalogue, implementations=tuple(kept))


def compilers_for_checker(
    compilers: Iterable[Compiler], tree: Path, checker: str, cpu_flags: Iterable[str]
) -> tuple[Compiler, ...]:
    """Return the compilers with the changes that toolchains/checkers/<checker>.toml declares."""
    declared = _declared(tree, checker)
    cpu = tuple(sorted(set(cpu_flags) - set(declared.lacks.features)))
    return tuple(
        replace(
            compiler,
            flags=(*(declared.replace.get(flag, flag) for flag in compiler.flags), *declared.flags),
            debian=declared.debian,
            emulator=tuple(declared.emulator),
            instruction_counter=tuple(declared.instruction_counter),
            cpu=cpu,
            unlimited=True,
            checker_flags=tuple(declared.flags),
        )
        for compiler in compilers
    )


def _declared(tree: Path, checker: str) -> schema.Checker:
    return toml_files.read(schema.Checker, tree / "toolchains" / "checkers" / f"{checker}.toml")
