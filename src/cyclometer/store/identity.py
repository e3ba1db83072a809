# SPDX-License-Identifier: MIT OR Apache-2.0
"""The identity of runs and machines: a copy of a run counts once, and one name may be that of two machines."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace

from cyclometer.store.folder import run_name
from cyclometer.store.stored_run import StoredRun

SUFFIX_DIGITS = 4
"""Hexadecimal digits of the CPU's digest that tell machines of one name apart."""


def without_copies(stored: Sequence[StoredRun]) -> list[StoredRun]:
    """Mark all but one of the folders that hold the same run as copies.

    The one that is kept is complete if any is, and has the folder's name that its run.json states.
    """
    by_identity: dict[tuple[str, ...], list[StoredRun]] = {}
    for entry in stored:
        by_identity.setdefault(_identity(entry), []).append(entry)
    original = {id(entry): min(same, key=_preference) for same in by_identity.values() for entry in same}
    return [entry if original[id(entry)] is entry else _as_copy(entry, original[id(entry)]) for entry in stored]


def tell_machines_apart(stored: Sequence[StoredRun]) -> list[StoredRun]:
    """Give machines that have one name but different CPUs the names NAME@DIGITS."""
    cpus: dict[str, set[str]] = {}
    for entry in stored:
        if cpu := _cpu(entry):
            cpus.setdefault(entry.machine, set()).add(cpu)
    return [_with_suffix(entry) if len(cpus.get(entry.machine, ())) > 1 and _cpu(entry) else entry for entry in stored]


def shared_names(stored: Sequence[StoredRun], names: Collection[str]) -> list[str]:
    """Return a line for each of these names that several machines have."""
    machines: dict[str, dict[str, str]] = {}
    for entry in stored:
        name = entry.folder.parent.name
        if name in names and entry.machine != name and entry.info:
            machines.setdefault(name, {})[entry.machine] = _cpu(entry)
    return [
        f"{len(each)} machines are called {name}: {'; '.join(f'{m} is {cpu}' for m, cpu in sorted(each.items()))}; "
        "`cyclometer runs --rename` gives a run's machine another name"
        for name, each in sorted(machines.items())
    ]


def _identity(entry: StoredRun) -> tuple[str, ...]:
    info = entry.info
    if info is None:
        return ("", str(entry.folder))
    return (info.id,) if info.id else (info.machine, info.run, info.started.isoformat())


def _preference(entry: StoredRun) -> tuple[bool, bool, str]:
    info, folder = entry.info, entry.folder
    elsewhere = info is None or (info.machine, info.run) != (folder.parent.name, run_name(folder))
    return entry.state != "complete", elsewhere, str(folder)


def _as_copy(entry: StoredRun, original: StoredRun) -> StoredRun:
    run = run_name(entry.folder)
    reason = f"{entry.folder} is a copy of {original.folder}; `cyclometer runs --remove` removes one of them"
    return replace(entry, machine=entry.folder.parent.name, run=run, state="copy", info=None, reason=reason)


def _cpu(entry: StoredRun) -> str:
    return str(entry.info.facts.get("cpu", "")) if entry.info else ""


def _with_suffix(entry: StoredRun) -> StoredRun:
    assert entry.info
    name = f"{entry.machine}@{hashlib.sha256(_cpu(entry).encode()).hexdigest()[:SUFFIX_DIGITS]}"
    return replace(entry, machine=name, info=replace(entry.info, machine=name))
