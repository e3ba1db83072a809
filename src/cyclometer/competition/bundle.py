# SPDX-License-Identifier: MIT OR Apache-2.0
"""The bundle of a round: sources, digests, raw runs and tables, signed; anybody recomputes every table from it."""

from __future__ import annotations

import datetime
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cyclometer.competition.files as layout
from cyclometer.competition.files import Competition, own_files, read_competition
from cyclometer.competition.freeze import FROZEN, NAMESPACE, SIGNATURE, changes, digests, require_frozen
from cyclometer.competition.operate import results_of
from cyclometer.competition.standing import Standing, moved, standing
from cyclometer.competition.tables import table_files
from cyclometer.errors import CyclometerError, NothingToDo, RefusedFile, on_disk
from cyclometer.signing import public_line, read_key, sign
from cyclometer.signing import verify as verify_signature
from cyclometer.untrusted import MAX_HEADER, printable, read_bytes

TABLES, PUBLISHED = "tables", "published.json"
SUMS, SUMS_SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
_PARTS = (layout.SUBMISSIONS, layout.WORKLOADS, layout.ATTACKS, layout.RUNS)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The standings of a round, what its attacks changed, and who signed it."""

    competition: Competition
    standings: Mapping[str, Standing]
    moved: tuple[str, ...]
    signer: str


def publish(competition: Competition, key_file: Path, target: Path, today: datetime.date) -> Outcome:
    """Write the bundle to `target`, which must not exist; return what it says."""
    frozen = require_frozen(competition)
    key = read_key(key_file)
    if public_line(key) != frozen["signer"]:
        raise CyclometerError(f"{key_file} is not the key that signed the freeze; a bundle is signed with the same one")
    if target.exists():
        raise CyclometerError(f"{target} exists; name another folder with -o")
    standings, lines = _recomputed(competition, today)
    if not any(found.results for found in standings.values()):
        raise NothingToDo(f"{competition.folder} has no complete run; `cyclometer competition run` makes one")
    with on_disk("write", target), _made_whole(target) as making:
        _copy_parts(competition, making)
        (making / PUBLISHED).write_text(json.dumps({"format": 1, "as_of": today.isoformat()}) + "\n", encoding="utf-8")
        (making / TABLES).mkdir()
        for name, text in table_files(competition, standings, lines).items():
            (making / TABLES / name).write_text(text, encoding="utf-8")
        sums = "".join(f"{digest}  {name}\n" for name, digest in _digests(making).items())
        (making / SUMS).write_text(sums, encoding="utf-8")
        (making / SUMS_SIGNATURE).write_text(sign(sums.encode(), key, NAMESPACE), encoding="ascii")
    return Outcome(competition=competition, standings=standings, moved=tuple(lines), signer=public_line(key))


@contextmanager
def _made_whole(target: Path) -> Iterator[Path]:
    """Yield a new folder beside `target` that gets its name if the block ends well; what a killed one left goes."""
    making = target.with_name(f".{target.name}.making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    try:
        yield making
        making.rename(target)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _copy_parts(competition: Competition, target: Path) -> None:
    for name in _PARTS:
        for file in own_files(competition.folder / name):
            path = file.relative_to(competition.folder)
            if name != layout.RUNS or not any(part.startswith(".") for part in path.parts):  # what a writer left
                _copy(file, target / path)
    for name in (layout.DECLARATION, FROZEN, SIGNATURE):
        _copy(competition.folder / name, target / name)


def verify(bundle: Path, signer: str = "", attacks: Path | None = None) -> Outcome:
    """Check the signatures and every file, recompute every table; `RefusedFile` names the first file that is not so.

    `signer` is the public line that must have signed. With a folder of later attacks, the standings are those after
    them, and `moved` is what they change.
    """
    bundle = bundle.resolve()
    found = _require_signed(bundle)
    if signer and signer.split()[:2] != found.split()[:2]:
        raise RefusedFile(f"{bundle / SUMS} is signed by another key than the one given")
    competition = read_competition(bundle)
    frozen = require_frozen(competition)
    if frozen["signer"] != found:
        raise RefusedFile(f"{bundle / FROZEN} is signed by another key than {SUMS}")
    day = _as_of(bundle / PUBLISHED)
    standings, lines = _recomputed(competition, day)
    _require_tables(bundle / TABLES, table_files(competition, standings, lines))
    if attacks:
        later, _ = _recomputed(competition, day, attacks)
        lines = [line for name in standings for line in moved(standings[name], later[name])]
        standings = later
    return Outcome(competition=competition, standings=standings, moved=tuple(lines), signer=found)


def _require_tables(folder: Path, recomputed: Mapping[str, str]) -> None:
    """Raise `RefusedFile` unless a folder has exactly these tables, byte for byte."""
    for name, text in recomputed.items():
        file = folder / name
        if not file.exists() or read_bytes(file) != text.encode():
            raise RefusedFile(f"{file} is not what the raw runs give")
    for file in own_files(folder):
        if file.relative_to(folder).as_posix() not in recomputed:
            raise RefusedFile(f"{file} is no table that the raw runs give")


def _recomputed(
    competition: Competition, day: datetime.date, later: Path | None = None
) -> tuple[dict[str, Standing], list[str]]:
    """Return the standings with all attacks on record, and what those attacks changed; `later` adds a folder."""
    record = competition.attacks()
    for system, more in (competition.attacks(later) if later else {}).items():
        record[system] = [*record.get(system, []), *more]
    without = _standings(competition, day, {})
    standings = _standings(competition, day, record) if record else without
    return standings, [line for name in standings for line in moved(without[name], standings[name])]


def _standings(
    competition: Competition, day: datetime.date, attacks: Mapping[str, list[dict[str, Any]]]
) -> dict[str, Standing]:
    results = results_of(competition, day, attacks)
    return {name: standing(competition, name, each) for name, each in results.items()}


def _require_signed(bundle: Path) -> str:
    """Return the key that signed the sums; `RefusedFile` names the first file that is not as they say."""
    _require_no_link(bundle)
    content = read_bytes(bundle / SUMS)
    try:
        text = read_bytes(bundle / SUMS_SIGNATURE, limit=MAX_HEADER).decode(errors="replace")
        signer = verify_signature(content, text, NAMESPACE)
    except CyclometerError as error:
        raise RefusedFile(f"{bundle / SUMS} or its signature {SUMS_SIGNATURE}: {error}") from None
    listed = {}
    for line in content.decode(errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        listed[name] = digest
    if changed := changes(listed, _digests(bundle)):
        raise RefusedFile(f"{bundle}: {changed[0]} since the bundle was signed")
    return signer


def _require_no_link(bundle: Path) -> None:
    """Raise `RefusedFile` for a link, which would add something that no digest covers; `publish` writes none."""
    for folder, names, files in os.walk(bundle):
        for name in sorted([*names, *files]):
            path = Path(folder, name)
            if path.is_symlink():
                raise RefusedFile(f"{bundle}: {printable(path.relative_to(bundle))} is a link; a bundle has none")


def _digests(bundle: Path) -> dict[str, str]:
    """Return the digest of every file but the sums and their signature."""
    own = {bundle / SUMS, bundle / SUMS_SIGNATURE}
    return digests(bundle, [file for file in own_files(bundle) if file not in own])


def _as_of(file: Path) -> datetime.date:
    try:
        return datetime.date.fromisoformat(json.loads(read_bytes(file, limit=MAX_HEADER))["as_of"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise RefusedFile(f"{file} does not say as of when") from None


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
