# SPDX-License-Identifier: MIT OR Apache-2.0
"""OpenSSH as installed: calls through each cipher with its MAC, set-ups of sessions by key exchange and host key."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from cyclometer import campaign
from cyclometer.errors import CyclometerError, MachineUnfit, UnknownName
from cyclometer.protocols.driven.openssh import BANNER, CALL, PIPE, SERVER
from cyclometer.protocols.rungs import Rung
from cyclometer.protocols.stored import Ladder, read_ladder
from cyclometer.protocols.studies import Findings, Request
from cyclometer.protocols.studies._sessions import START, Program, measure_sessions, start_table
from cyclometer.protocols.tables import calls_tables
from cyclometer.store import StoredRun

TITLE = "OpenSSH as installed: calls by cipher and MAC, session set-ups by key exchange and host key"

USUAL_CIPHER, USUAL_MAC, USUAL_KEX = "aes128-ctr", "hmac-sha2-256", "curve25519-sha256"
AEADS = ("chacha20-poly1305", "aes128-gcm", "aes256-gcm")
"""Ciphers that are a MAC, too."""

HOST_KEYS = {"ed25519": "ssh-ed25519", "ecdsa": "ecdsa-sha2-nistp256", "rsa": "rsa-sha2-256"}
CONTROLS = (Rung(layer=PIPE), Rung(layer=BANNER))
STARTS = "Milliseconds until the remote program runs: key exchange, host key, login, processes at both ends"


def measure(request: Request, results: Path, progress: campaign.Progress) -> Path:
    """Measure sessions with the algorithms that the systems name, or a useful choice; return the finished run's folder.

    A system is a name of `ssh -Q cipher`, `mac` or `kex`, or a pattern.
    """
    if request.transports not in ((), ("tcp",)) or request.under_way or request.keys or request.apart:
        raise CyclometerError("OpenSSH's calls go over TCP, one at a time, on one core; leave these options out")
    program = Program(
        study="ssh",
        driver="openssh",
        implementation="openssh",
        options=options_of,
        has_calls=lambda rung: rung.layer == PIPE or "SSH_CIPHER" in dict(rung.macros),
        transports=("tcp",),
        payloads=(4, 45, 1024, 16384),
    )
    return measure_sessions(program, chosen_rungs(request.systems), request, results, progress)


def chosen_rungs(names: Sequence[str]) -> list[Rung]:
    """Return the rungs of the named algorithms, ciphers x MACs and key exchanges x host keys; UnknownName for others.

    Without names: every cipher with one MAC, one cipher with every MAC, and every key exchange with every host key.
    """
    known = {kind: _short(algorithms(kind)) for kind in ("cipher", "mac", "kex")}
    for name in names:
        if not any(fnmatchcase(each, name) for kind in known.values() for each in kind):
            everything = [each for kind in known.values() for each in kind]
            raise UnknownName("algorithm of OpenSSH", name, everything, "`ssh -Q cipher`, `mac` and `kex` list them")
    ciphers, macs, exchanges = ([each for each in kind if _is_named(each, names)] for kind in known.values())
    if names:
        ciphers = ciphers or ([USUAL_CIPHER] if macs else [])
        pairs = [(cipher, mac) for cipher in ciphers for mac in macs or [USUAL_MAC]]
    else:
        pairs = [(cipher, USUAL_MAC) for cipher in ciphers] + [(USUAL_CIPHER, mac) for mac in macs]
    calls = [_rung(SSH_CIPHER=cipher, SSH_MAC="" if cipher in AEADS else mac) for cipher, mac in pairs]
    starts = [_rung(SSH_KEX=exchange, SSH_HOST_KEY=key) for exchange in exchanges for key in HOST_KEYS]
    return [*CONTROLS, *dict.fromkeys(calls), *starts]


def options_of(rung: Rung) -> dict[str, str]:
    """Return ssh's options for a rung, with the names that the installed ssh has for its algorithms."""
    facts = dict(rung.macros)
    if not facts:
        return {}
    options = {
        "Ciphers": _full("cipher", facts.get("SSH_CIPHER", "")),
        "MACs": _full("mac", facts.get("SSH_MAC", "")),
        "KexAlgorithms": _full("kex", facts.get("SSH_KEX", USUAL_KEX)),
        "HostKeyAlgorithms": HOST_KEYS.get(facts.get("SSH_HOST_KEY", ""), ""),
    }
    return {name: value for name, value in options.items() if value}


@cache
def algorithms(kind: str) -> tuple[str, ...]:
    """Return what the installed ssh offers: of `cipher`, `mac` or `kex`; `MachineUnfit` if it is not installed."""
    try:
        ended = subprocess.run(["ssh", "-Q", kind], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        raise MachineUnfit("ssh is not installed (Debian: apt install openssh-client openssh-server)") from None
    if not os.path.exists(SERVER):
        raise MachineUnfit(f"{SERVER} is not installed (Debian: apt install openssh-server)")
    return tuple(ended.stdout.split())


def findings(run: StoredRun) -> Findings:
    """Return the calls by cipher and MAC, the set-ups of sessions, and both in words."""
    ladder = read_ladder(run)
    called = {name for name, (measure, _, _) in ladder.cells if measure == CALL}
    calls = replace(ladder, rungs=tuple(rung for rung in ladder.rungs if rung.name in called))
    tables = [*calls_tables(calls), start_table(ladder, Rung(layer=BANNER), STARTS)]
    words = [*_calls_in_words(calls), *_starts_in_words(ladder)]
    return Findings(verdict=words, tables=tables, failures=ladder.failures)


def _short(names: Sequence[str]) -> list[str]:
    """Return names without the domain of who defined them, each once."""
    return list(dict.fromkeys(name.partition("@")[0] for name in names))


def _full(kind: str, short: str) -> str:
    return next((name for name in algorithms(kind) if name.partition("@")[0] == short), "")


def _is_named(algorithm: str, names: Sequence[str]) -> bool:
    return not names or any(fnmatchcase(algorithm, name) for name in names)


def _rung(**macros: str) -> Rung:
    return Rung(layer="ssh", macros=tuple(macros.items()))


def _calls_in_words(ladder: Ladder) -> Iterator[str]:
    for measure, payload, _ in ladder.places:
        base = ladder.cell(Rung(layer=PIPE), measure, payload)
        cells = {rung.name: ladder.cell(rung, measure, payload) for rung in ladder.rungs if rung.layer != PIPE}
        found = sorted((cell.cycles, name) for name, cell in cells.items() if cell)
        if base and found:
            (least, quick), (most, slow) = found[0], found[-1]
            if len(found) == 1:
                takes = f"{least / 1e3:.0f} microseconds ({quick}), {least / base.cycles:.1f}"
            else:
                takes = f"{least / 1e3:.0f} ({quick}) to {most / 1e3:.0f} microseconds ({slow}), "
                takes += f"{least / base.cycles:.1f} to {most / base.cycles:.1f}"
            yield f"tcp, {payload} bytes: through OpenSSH a call takes {takes} times as long as through two pipes"


def _starts_in_words(ladder: Ladder) -> Iterator[str]:
    cells = {rung.name: ladder.cell(rung, START, 0) for rung in ladder.rungs if "SSH_KEX" in dict(rung.macros)}
    if found := sorted((cell.cycles, name) for name, cell in cells.items() if cell):
        (least, quick), (most, slow) = found[0], found[-1]
        if len(found) == 1:
            yield f"a session takes {least / 1e6:.0f} milliseconds to begin ({quick})"
        else:
            yield f"a session takes {least / 1e6:.0f} ({quick}) to {most / 1e6:.0f} milliseconds to begin ({slow})"
