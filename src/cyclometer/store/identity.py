# SPDX-License-Identifier: MIT OR Apache-2.0
"""The identity of runs and machines: a copy of a run counts once, and one name may be that of two machines."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
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
    """Call a machine NAME@DIGITS if a newer run of that name was measured on another CPU."""
    newest: dict[str, str] = {}
    for entry in sorted(stored, key=lambda entry: entry.info.started.timestamp() if entry.info else 0.0):
        newest[entry.machine] = _cpu(entry) or newest.get(entry.machine, "")
    return [_with_suffix(entry) if _cpu(entry) not in {"", newest[entry.machine]} else entry for entry in stored]


def without_needless_suffix(chosen: Sequence[StoredRun]) -> list[StoredRun]:
    """Restore the names of machines that no other machine of the same name stands beside."""
    machines: dict[str, set[str]] = {}
    for entry in chosen:
        machines.setdefault(entry.folder.parent.name, set()).add(entry.machine)
    return [
        replace(entry, machine=name, info=replace(entry.info, machine=name))
        if entry.info and entry.machine.startswith(f"{name}@") and len(machines[name]) == 1
        else entry
        for entry in chosen
        for name in [entry.folder.parent.name]
    ]


def shared_names(chosen: Sequence[StoredRun]) -> list[str]:
    """Return a line for each name that several machines have."""
    machines: dict[str, dict[str, str]] = {}
    for entry in chosen:
        name = entry.folder.parent.name
        if _cpu(entry):
            machines.setdefault(name, {})[entry.machine] = _cpu(entry)
    return [
        f"{len(each)} machines are called {name}: {'; '.join(f'{m} is {cpu}' for m, cpu in sorted(each.items()))}; "
        "`cyclometer runs --rename` gives a run's machine another name"
        for name, each in sorted(machines.items())
        if len(each) > 1
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
