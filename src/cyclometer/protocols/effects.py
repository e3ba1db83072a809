# SPDX-License-Identifier: MIT OR Apache-2.0
"""What each level of a toggle costs beside the base of its toggle, read from a stored run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np

from cyclometer.analyse import median_interval, prepare
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.analyse.estimate.comparability import Scope, quoted
from cyclometer.analyse.estimate.estimators import ZERO_BELOW
from cyclometer.analyse.estimate.rounds import roundwise
from cyclometer.errors import NothingToDo
from cyclometer.protocols.stored import context_of, failures_of
from cyclometer.records.rounds import Rounds
from cyclometer.records.run import PROTOCOL, RunInfo, Size
from cyclometer.records.table import Context, MachineFailure
from cyclometer.records.tuning import Tuning
from cyclometer.store import StoredRun, connect

API = "api"
"""The operation whose primitives are toggles around a system, and the study that measures them."""

_LEVEL = "level:"  # with this begin the sizes that protocols/api/check.c prints of levels
_NOT_BASE, _PLAIN = 1_000_000, 2_000_000  # added there to the line of a level


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One level of a toggle around one system, for messages of one length; in cycles a call."""

    system: str
    toggle: str
    level: str
    length: int
    cycles: float
    implementation: str
    compiler: str
    disturbed: bool
    rounds: int
    base: float  # of the toggle's base
    more: float  # than the base, the median over rounds; 0 for the base itself
    interval: tuple[float, float] | None  # of `more`; None for the base, or with a single round
    is_base: bool
    doubt: float  # what equal calls at other places of the same program differ by

    @property
    def share(self) -> float:
        """The difference as a share of the base."""
        return self.more / self.base if self.base > 0 else 0.0

    @property
    def is_seen(self) -> bool:
        """Whether the difference is larger than that of equal calls, and its interval has one sign."""
        if self.is_base or abs(self.more) <= self.doubt:
            return False
        return self.interval is None or not self.interval[0] <= 0 <= self.interval[1]


@dataclass(frozen=True, kw_only=True)
class Effects:
    """A run over toggles, read back."""

    effects: tuple[Effect, ...]  # by toggle, system, level and length
    context: Context
    failures: tuple[MachineFailure, ...]

    @property
    def toggles(self) -> list[str]:
        """Return the names of the toggles, sorted."""
        return list(dict.fromkeys(effect.toggle for effect in self.effects))

    def of(self, toggle: str) -> list[Effect]:
        """Return the effects of one toggle."""
        return [effect for effect in self.effects if effect.toggle == toggle]


def level_names(sizes: Iterable[Size]) -> list[str]:
    """Return the levels (`TOGGLE-LEVEL`) of one system from its sizes: by toggle, the base first."""
    levels = {size.name.removeprefix(_LEVEL): size.value for size in sizes if size.name.startswith(_LEVEL)}
    return sorted(levels, key=lambda name: (_toggle(name), levels[name] % _PLAIN, name))


def plain_levels(sizes: Iterable[Size]) -> list[str]:
    """Return the levels that are a direct call and nothing else: what differs between them is not a toggle's doing."""
    return [s.name.removeprefix(_LEVEL) for s in sizes if s.name.startswith(_LEVEL) and s.value >= _PLAIN]


def read_effects(run: StoredRun) -> Effects:
    """Read a finished run of `cyclometer protocol api`; NothingToDo if it is another kind of run."""
    if not run.info or run.info.plan.get(PROTOCOL, {}).get("study") != API:
        raise NothingToDo(f"{run.run} is not a run of `cyclometer protocol {API}`")
    with connect([run], thorough=False) as connection:
        connection.execute("SET threads = 2")
        prepare(connection, [run.info])
        return _read(connection, run.info)


def _read(connection: duckdb.DuckDBPyConnection, info: RunInfo) -> Effects:
    scope, source = Scope(operation=API, infos=(info,)), SampleSource(connection)
    sizes = _sizes(connection)
    where = f"operation = {quoted(API)} AND NOT control AND measure <> 'empty'"
    points = {(p.subject.primitive, p.measure, p.variables["length"]): p for p in roundwise(connection, where)}
    found = _effects(points, sizes, _order(info))
    doubts = sorted(each.doubt / each.base for each in found if each.is_base and each.base > 0)
    return Effects(
        effects=tuple(found),
        context=context_of(source, scope, info.machine, doubts[len(doubts) // 2] if doubts else None),
        failures=failures_of(connection, info.machine),
    )


def _order(info: RunInfo) -> list[str]:
    """Return the systems in the order in which they were asked for."""
    return [str(key).partition("/")[2] for key in info.plan[PROTOCOL]["systems"]]


def _sizes(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Size]]:
    """Return the sizes of each system, which list its levels."""
    rows = connection.execute("SELECT primitive, name, value FROM sizes WHERE operation = ?", [API]).fetchall()
    sizes: dict[str, list[Size]] = {}
    for primitive, name, value in rows:
        subject = Tuning(operation=API, primitive=primitive)
        sizes.setdefault(primitive, []).append(Size(subject=subject, name=name, value=value))
    return sizes


Points = Mapping[tuple[str, str, int], Rounds]
"""System, measure and length -> what was measured."""


def _effects(points: Points, sizes: Mapping[str, Sequence[Size]], order: Sequence[str]) -> list[Effect]:
    """Compare every level with the base of its toggle, which is the first one."""
    lengths = sorted({length for _, _, length in points})
    levels = {system: level_names(each) for system, each in sizes.items()}
    doubts = {(system, n): _doubt(points, system, plain_levels(sizes[system]), n) for system in sizes for n in lengths}
    found = []
    for toggle in sorted({_toggle(name) for names in levels.values() for name in names}):
        for system in order:
            own = [name for name in levels.get(system, ()) if _toggle(name) == toggle]
            for name in own:
                pairs = [(n, points.get((system, own[0], n)), points.get((system, name, n))) for n in lengths]
                found += [effect(base, level, doubts[system, n]) for n, base, level in pairs if base and level]
    return found


def _doubt(points: Points, system: str, plain: Sequence[str], length: int) -> float:
    """Return how far equal calls at several places of one program are apart."""
    found = [points[system, name, length] for name in plain if (system, name, length) in points]
    medians = [float(np.median(each.headlines)) for each in found]
    return max([ZERO_BELOW, max(medians) - min(medians)] if medians else [ZERO_BELOW])


def effect(base: Rounds, level: Rounds, doubt: float) -> Effect:
    """Return how a level differs from the base, round by round, since both were measured by the same processes.

    `doubt` is what equal calls differ by, in cycles.
    """
    toggle, _, name = level.measure.partition("-")
    theirs = dict(zip(base.numbers, base.headlines, strict=True))
    pairs = [(theirs[n], own) for n, own in zip(level.numbers, level.headlines, strict=True) if n in theirs]
    own, other = float(np.median(level.headlines)), float(np.median(base.headlines))
    differences = np.array([[mine - their for their, mine in pairs]]) if pairs else np.array([[own - other]])
    low, high = median_interval(differences)
    is_base = base.measure == level.measure
    return Effect(
        system=level.subject.primitive,
        toggle=toggle,
        level=name.replace("_", " "),
        length=level.variables["length"],
        cycles=own,
        implementation=level.subject.implementation,
        compiler=level.subject.compiler,
        disturbed=level.disturbed or base.disturbed,
        rounds=len(level.numbers),
        base=other,
        more=0.0 if is_base else float(np.median(differences)),
        interval=None if is_base or len(pairs) < 2 else (float(low[0]), float(high[0])),
        is_base=is_base,
        doubt=doubt,
    )


def _toggle(name: str) -> str:
    return name.partition("-")[0]
