# SPDX-License-Identifier: MIT OR Apache-2.0
"""FLEET.toml: the machines of a fleet and how each is reached."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cyclometer import paths
from cyclometer.discover.native import emulated_toolchains
from cyclometer.discover.schema import Declaration
from cyclometer.discover.toml_files import read, validated
from cyclometer.errors import BadDeclaration, UnknownName, some_of
from cyclometer.fleet import reach

CORES = re.compile(r"\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*")
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}")


class FleetFile(Declaration):
    """FLEET.toml: a list of [[machine]] tables."""

    machine: Annotated[list[dict[str, Any]], Field(min_length=1)]


class MachineTable(Declaration):
    """The keys that a [[machine]] has however it is reached; each way adds its own."""

    name: str
    reach: str = "local"
    cores: str | None = None  # 0-3,8: the last one measures, the others build


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A machine of the fleet. `way` are the keys of its way, validated by that way."""

    name: str
    reach: str
    cores: tuple[int, ...]  # empty: all
    way: Declaration

    @property
    def toolchain(self) -> str:
        """The toolchain of a machine that is emulated, where code is checked and nothing timed; '' for a real one."""
        return str(getattr(self.way, "toolchain", ""))


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """The machines of one FLEET.toml, in the order of the file."""

    machines: tuple[Machine, ...]


def read_fleet(file: Path) -> Fleet:
    """Read and check FLEET.toml; `BadDeclaration` or `UnknownName` name what is wrong with it."""
    machines = tuple(_machine(table, file) for table in read(FleetFile, file).machine)
    names = [machine.name for machine in machines]
    if twice := {name for name in names if names.count(name) > 1}:
        raise BadDeclaration(f"{file}: two machines are called {min(twice)}; give each a name of its own")
    return Fleet(machines=machines)


def _machine(table: dict[str, Any], file: Path) -> Machine:
    common = {key: value for key, value in table.items() if key in MachineTable.model_fields}
    declared = validated(MachineTable, common, file)
    ways = reach.ways()
    if declared.reach not in ways:
        raise UnknownName("way to reach a machine", declared.reach, ways, f"{file}; known: {', '.join(ways)}")
    own = {key: value for key, value in table.items() if key not in common}
    known = {*MachineTable.model_fields, *ways[declared.reach].Keys.model_fields}
    for key in sorted(own.keys() - known):
        raise UnknownName("key", key, known, str(file))
    if not NAME.fullmatch(declared.name):
        raise BadDeclaration(
            f"{file}: {declared.name!r} cannot name a machine; use at most 64 letters, digits and _.+-, "
            "and begin with a letter, a digit or _"
        )
    way = validated(ways[declared.reach].Keys, own, file)
    machine = Machine(
        name=declared.name,
        reach=declared.reach,
        cores=() if declared.cores is None else _cores(declared.cores, file),
        way=way,
    )
    emulated = emulated_toolchains(paths.root()) if machine.toolchain else []
    if machine.toolchain not in ("", *emulated):
        raise UnknownName("toolchain", machine.toolchain, emulated, f"{file}; {some_of(emulated)}")
    return machine


def _cores(text: str, file: Path) -> tuple[int, ...]:
    """Return the numbers of a list such as 0-3,8."""
    if not CORES.fullmatch(text):
        raise BadDeclaration(f"{file}: cores {text!r} is not a list of cores; write 0-3 or 0,2")
    cores: list[int] = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        if int(last or first) < int(first):
            raise BadDeclaration(f"{file}: cores {text!r}: a range ends below its start")
        cores += range(int(first), int(last or first) + 1)
    return tuple(cores)
