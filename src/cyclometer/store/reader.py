# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reading runs: list them, select some, and open one database over these.

Parquet is read in place: a query touches only the columns and row groups it names, so opening a hundred million
samples costs as little as opening ten.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb

from cyclometer.errors import NothingToDo, StorageFailed, UnknownName
from cyclometer.records.columns import Types
from cyclometer.records.placement import PLACEMENT
from cyclometer.records.tuning_name import fits_pattern
from cyclometer.store.database import open_database
from cyclometer.store.files import storage
from cyclometer.store.folder import LOCK_FILE, RUN_FILE, is_partial, run_name
from cyclometer.store.identity import shared_names, tell_machines_apart, without_copies, without_needless_suffix
from cyclometer.store.integrity import NO_CALIBRATION, check_complete, require_points, require_values, verify_run
from cyclometer.store.lock import is_locked
from cyclometer.store.runfile import digests_of, read_run_info
from cyclometer.store.schema import ADDED, ORDINARY, POINT, SMALL_TABLES, STORED, UPGRADES
from cyclometer.store.stored_run import State, StoredRun

MOST_NAMED = 5
"""Runs of which a line each says why they are left out."""


def list_runs(results: Path) -> list[StoredRun]:
    """List every run below `results`, the oldest first; unreadable runs and copies are included, with the reason."""
    if not results.exists():
        return []
    with storage("read", results):
        folders = [
            folder
            for machine in sorted(results.iterdir())
            if machine.is_dir() and not machine.name.startswith(".")
            for folder in sorted(machine.iterdir())
            if folder.is_dir() and (is_partial(folder) or not folder.name.startswith("."))
        ]
    runs = tell_machines_apart(without_copies([_stored_run(folder) for folder in folders]))
    return sorted(runs, key=lambda stored: (stored.info.started.timestamp() if stored.info else 0.0, stored.run))


def select_runs(
    results: Path,
    runs: Sequence[str] = (),
    machines: Sequence[str] = (),
    *,
    everything: bool = False,
    comparisons: bool = False,
    say: Callable[[str], None] | None = None,
) -> list[StoredRun]:
    """Return the runs whose names match a pattern, of the machines named, the oldest first.

    Without a pattern, the last complete run (of each machine named, or of all machines together); with `everything`,
    all complete runs. Interleaved comparisons are left out then, unless `comparisons`, or there is nothing else; so is,
    without `everything`, what a command such as `rank` measured for itself. The exact name of an interrupted run
    selects it, too; `UnknownName` or `NothingToDo` if nothing matches. `say` is called with a line for each run that is
    left out although it matches.
    """
    stored = list_runs(results)
    chosen = without_needless_suffix(
        _select(results, stored, runs, machines, everything=everything, comparisons=comparisons)
    )
    if say:
        for line in remarks(stored, chosen, runs, machines):
            say(line)
    return chosen


def remarks(
    stored: Sequence[StoredRun], chosen: Sequence[StoredRun], runs: Sequence[str], machines: Sequence[str]
) -> list[str]:
    """Return a line for each unreadable run and copy that matches, and for each name that two machines share.

    Of many runs the first are named.
    """
    lines = [
        f"left out {entry.machine} {entry.run}: {entry.reason}"
        for entry in stored
        if entry.state in {"unreadable", "copy"}
        and (not machines or _matches(entry.machine_names, machines))
        and (not runs or _matches(entry.names, runs))
    ]
    more = len(lines) - MOST_NAMED
    if more > 1:
        lines = [*lines[:MOST_NAMED], f"left out {more} more runs; `cyclometer runs` says why"]
    return lines + shared_names(chosen)


def _select(
    results: Path,
    stored: list[StoredRun],
    runs: Sequence[str],
    machines: Sequence[str],
    *,
    everything: bool,
    comparisons: bool,
) -> list[StoredRun]:
    if not stored:
        raise NothingToDo(
            f"no run in {results} yet; start one with `cyclometer run`, or name another folder with --results DIR"
        )
    _check_names("machine", machines, {name for entry in stored for name in entry.machine_names})
    if machines:
        stored = [entry for entry in stored if _matches(entry.machine_names, machines)]
    if runs:
        return _by_name(stored, runs)
    complete = [entry for entry in stored if entry.state == "complete"]
    if not complete and all(entry.state == "unreadable" for entry in stored):
        raise StorageFailed(stored[-1].reason)
    if not complete:
        raise NothingToDo(f"no complete run in {results}; " + _states(stored))
    if not comparisons:
        complete = [entry for entry in complete if not entry.is_comparison] or complete
    if everything:
        return complete
    return _last(complete, of_each_machine=bool(machines))


def _last(complete: Sequence[StoredRun], *, of_each_machine: bool) -> list[StoredRun]:
    """Return the last run of each machine, or of all together, that is no supplement; else the last one."""
    last: dict[str, StoredRun] = {}
    for entry in complete:
        key = entry.machine if of_each_machine else ""
        if not entry.is_supplement or key not in last or last[key].is_supplement:
            last[key] = entry
    return list(last.values())


def fingerprint(stored: Sequence[StoredRun]) -> object:
    """Return a value that changes when a part is added, a small table is rewritten, or a run finishes."""
    state: list[tuple[str, str, list[tuple[str, int]]]] = []
    for entry in stored:
        paths = [*entry.sample_files, *sorted(entry.folder.glob("*.parquet"))]
        try:
            state.append((str(entry.folder), entry.state, [(path.name, path.stat().st_mtime_ns) for path in paths]))
        except OSError:  # it has just been finished and renamed
            state.append((str(entry.folder), "moving", []))
    return state


def open_runs(
    results: Path,
    runs: Sequence[str] = (),
    machines: Sequence[str] = (),
    *,
    everything: bool = False,
) -> duckdb.DuckDBPyConnection:
    """Open a database over what `select_runs` returns: the views samples, runs, and those of SMALL_TABLES.

    The samples are without the calibration, which is in `all_samples`.
    """
    connection = connect(select_runs(results, runs, machines, everything=everything))
    connection.execute("ALTER VIEW samples RENAME TO all_samples")
    connection.execute(f"CREATE VIEW samples AS SELECT * FROM all_samples WHERE {NO_CALIBRATION}")
    return connection


def connect(stored: Sequence[StoredRun], *, samples: bool = True, thorough: bool = True) -> duckdb.DuckDBPyConnection:
    """Open a database over exactly these runs; every view has the columns run and machine.

    Without `samples`, the views samples and points are missing and no large file is opened. Every file that is read
    is verified first, a large one by its times if not `thorough`; `StorageFailed` names the first that is damaged.
    """
    connection = open_database()
    _create_runs(connection, stored)
    for entry in stored:
        verify_run(entry, samples=samples, thorough=thorough)
        if samples:
            require_points(entry)
    if samples:
        _create_samples(connection, stored)
    require_values(stored)
    for name, types in SMALL_TABLES.items():
        paths = [entry.folder / f"{name}.parquet" for entry in stored]
        present = [str(path) for path in paths if path.exists()]
        if not present:
            _create_empty(connection, "stored_" + name, types)
            connection.execute(f"CREATE VIEW {name} AS SELECT '' AS run, '' AS machine, * FROM stored_{name}")
            continue
        stored_rows = connection.read_parquet(present, filename=True, union_by_name=True)
        _upgraded(name, stored_rows).create_view("stored_" + name)
        connection.execute(
            f"CREATE VIEW {name} AS SELECT r.run, r.machine, t.* EXCLUDE (filename) "
            f"FROM stored_{name} t JOIN runs r ON t.filename = r.folder || '/{name}.parquet'"
        )
    return connection


def _upgraded(name: str, stored: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return a small table with the current columns, whatever versions stored it."""
    for column in ADDED.get(name, ()):
        if column not in stored.columns:
            stored = stored.project(f"*, NULL::VARCHAR AS {column}")
    return stored.project(f"* REPLACE ({', '.join(UPGRADES[name])})") if name in UPGRADES else stored


def _create_samples(connection: duckdb.DuckDBPyConnection, stored: Sequence[StoredRun]) -> None:
    """Create the views samples, placed and points, in which runs and machines have the names of today.

    The samples of placement are in `placed` alone.
    """
    files: dict[tuple[str, str] | None, list[str]] = {}
    for entry in stored:
        names = (entry.run, entry.machine)
        files.setdefault(None if names == entry.recorded_as else names, []).extend(map(str, entry.sample_files))
    relations = []
    for name, paths in files.items():
        if paths:
            samples = _with_placement(connection.read_parquet(paths, union_by_name=True))
            relations.append(samples.project(_renamed(*name)) if name else samples)
    if relations:
        functools.reduce(duckdb.DuckDBPyRelation.union, relations).create_view("every_sample")
    else:
        _create_empty(connection, "every_sample", STORED)
    ordinary = f"SELECT * EXCLUDE ({', '.join(PLACEMENT)}) FROM every_sample WHERE {ORDINARY}"
    connection.execute(f"CREATE VIEW samples AS {ordinary}")
    connection.execute(f"CREATE VIEW placed AS SELECT * FROM every_sample WHERE NOT ({ORDINARY})")
    connection.execute(f"CREATE VIEW points AS SELECT {', '.join(POINT)} FROM samples WHERE {NO_CALIBRATION}")


def _create_empty(connection: duckdb.DuckDBPyConnection, name: str, types: Types) -> None:
    columns = ", ".join(f'"{column}" {kind}' for column, kind in types.items())
    connection.execute(f"CREATE TABLE {name} ({columns})")


def _with_placement(samples: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return samples with the columns of placement, whatever versions stored them."""
    missing = [name for name in PLACEMENT if name not in samples.columns]
    added = samples.project(", ".join(["*", *(f"NULL AS {name}" for name in missing)]))
    upgraded = [f"COALESCE({name}, {repr('') if name == 'cold' else 0}) AS {name}" for name in PLACEMENT]
    return added.project(f"* REPLACE ({', '.join(upgraded)})")


def _renamed(run: str, machine: str) -> str:
    """Return the SQL projection that replaces the columns run and machine."""
    literals = ("'" + name.replace("'", "''") + "'" for name in (run, machine))
    return "* REPLACE ({} AS run, {} AS machine)".format(*literals)


def _create_runs(connection: duckdb.DuckDBPyConnection, stored: Sequence[StoredRun]) -> None:
    connection.execute(
        "CREATE TABLE runs (run VARCHAR, machine VARCHAR, profile VARCHAR, started TIMESTAMPTZ, "
        "finished TIMESTAMPTZ, version VARCHAR, counter JSON, contracts JSON, facts JSON, folder VARCHAR)"
    )
    for entry in stored:
        if entry.info is None:
            raise StorageFailed(f"cannot read {entry.folder}: {entry.reason}")
        info = entry.info
        connection.execute(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [info.run, info.machine, info.profile, info.started, info.finished, info.version]
            + [json.dumps(value) for value in (info.counter, info.contracts, info.facts)]
            + [str(entry.folder)],
        )


def _stored_run(folder: Path) -> StoredRun:
    machine, run = folder.parent.name, run_name(folder)
    try:
        info = read_run_info(folder / RUN_FILE)
        if not is_partial(folder):
            check_complete(folder, digests_of(folder, info))
    except StorageFailed as error:
        return StoredRun(folder=folder, machine=machine, run=run, state="unreadable", reason=str(error))
    state: State = "complete"
    if is_partial(folder):
        state = "under way" if is_locked(folder / LOCK_FILE) else "interrupted"
    recorded_as = info.recorded_as or (info.run, info.machine)
    return StoredRun(folder=folder, machine=info.machine, run=info.run, state=state, info=info, recorded_as=recorded_as)


def _by_name(stored: Sequence[StoredRun], patterns: Sequence[str]) -> list[StoredRun]:
    _check_names("run", patterns, {name for entry in stored for name in entry.names})
    chosen = [entry for entry in stored if entry.state == "complete" and _matches(entry.names, patterns)]
    chosen += [entry for entry in stored if entry.state != "complete" and not {*entry.names}.isdisjoint(patterns)]
    unreadable = [entry for entry in chosen if entry.info is None]
    if unreadable:
        raise StorageFailed(unreadable[0].reason)
    if not chosen:
        raise NothingToDo(
            f"no complete run matches {' '.join(patterns)}; to select an interrupted run, give its full name"
        )
    return chosen


def _check_names(kind: str, patterns: Sequence[str], names: set[str]) -> None:
    for pattern in patterns:
        if not any(fits_pattern(name, pattern) for name in names):
            raise UnknownName(kind, pattern, sorted(names), "`cyclometer runs` lists them")


def _matches(names: Sequence[str], patterns: Sequence[str]) -> bool:
    return any(fits_pattern(name, pattern) for name in names for pattern in patterns)


def _states(stored: Sequence[StoredRun]) -> str:
    states = sorted({entry.state for entry in stored})
    reason = next((f" ({entry.reason})" for entry in stored if entry.reason), "")
    return f"its runs are {' or '.join(states)}{reason}; `cyclometer runs` lists them"
