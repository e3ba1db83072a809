# SPDX-License-Identifier: MIT OR Apache-2.0
"""The freeze: digests of everything that a round is judged by, signed; later changes wait for the next round."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import cyclometer.competition.files as layout
from cyclometer.competition.declared import declarations, require_baseline, require_frozen_declarations
from cyclometer.competition.files import Competition, own_files
from cyclometer.competition.stage import discovered, new_labels, staged
from cyclometer.compile import contracts
from cyclometer.discover import read_operations
from cyclometer.errors import CyclometerError, RefusedFile, on_disk
from cyclometer.signing import public_line, read_key, sign, verify
from cyclometer.untrusted import MAX_HEADER, printable, read_bytes
from cyclometer.workload import OPERATION

FROZEN, SIGNATURE = "frozen.json", "frozen.json.sig"
NAMESPACE = "competition@cyclometer"
FORMAT = 2
"""Since 2, frozen.json has `declared`."""

_BOUND = (layout.SUBMISSIONS, layout.WORKLOADS)


def freeze(tree: Path, competition: Competition, key_file: Path, today: datetime.date) -> Path:
    """Write frozen.json and its signature; return the former."""
    target = competition.folder / FROZEN
    if target.exists():
        raise CyclometerError(f"{target} exists: this round is frozen; copy the folder for the next one")
    if today < competition.dates.closes:
        closes = competition.dates.closes
        raise CyclometerError(f"submissions may change until {closes}; freeze from that day on, or move dates.closes")
    key = read_key(key_file)
    labels = new_labels(competition.submissions)
    with staged(tree, competition, labels) as root:
        known = discovered(root, competition, labels)
    require_baseline(competition, known)
    content = {
        "format": FORMAT,
        "competition": competition.title,
        "frozen": today.isoformat(),
        "signer": public_line(key),
        "contract": contracts(tree, [read_operations(tree)[OPERATION]])[OPERATION],
        "tree": tree_digests(tree),
        "files": file_digests(competition.folder),
        "declared": declarations(competition, known, labels),
    }
    text = json.dumps(content, indent=1, sort_keys=True) + "\n"
    with on_disk("write", target):
        target.write_text(text, encoding="utf-8")
        (competition.folder / SIGNATURE).write_text(sign(text.encode(), key, NAMESPACE), encoding="ascii")
    return target


def read_frozen(folder: Path) -> dict[str, Any]:
    """Return frozen.json; `CyclometerError` if there is none, or it does not bear its signer's signature."""
    file = folder / FROZEN
    if not file.exists():
        raise CyclometerError(f"{file} does not exist; `cyclometer competition freeze {folder.name}` makes it")
    content = read_bytes(file)
    signature = read_bytes(folder / SIGNATURE, limit=MAX_HEADER).decode(errors="replace")
    try:
        signer = verify(content, signature, NAMESPACE)
        frozen: dict[str, Any] = json.loads(content)
        if frozen["signer"] != signer:
            raise RefusedFile(f"{file} is signed by another key than it names")
        for name in ("files", "tree"):
            if not is_texts(frozen[name]):
                raise TypeError
        if not isinstance(frozen["format"], int):
            raise TypeError
        if frozen["format"] > FORMAT:
            raise RefusedFile(
                f"format {frozen['format']} is newer than {FORMAT}, the newest known; install a newer version"
            )
        if frozen["format"] > 1:
            require_frozen_declarations(frozen["declared"], file)
    except CyclometerError as error:
        raise RefusedFile(f"{file} or its signature {SIGNATURE}: {error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise RefusedFile(f"{file} is not the record of a freeze") from None
    return frozen


def is_texts(value: Any) -> bool:
    """Return whether a value of JSON is an object of texts."""
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


def require_frozen(competition: Competition, tree: Path | None = None) -> dict[str, Any]:
    """Return frozen.json if nothing has changed since; otherwise `RefusedFile` names what has.

    With a tree, its harness and operation must be the frozen ones, too.
    """
    frozen = read_frozen(competition.folder)
    changed = changes(frozen["files"], file_digests(competition.folder))
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise RefusedFile(f"{changed[0]} since the freeze{more}; changes wait for the next round")
    for name, digest in (tree_digests(tree) if tree else {}).items():
        if frozen["tree"].get(name) != digest:
            raise CyclometerError(f"{name}/ of this Cyclometer is not the frozen one; use the version of the freeze")
    return frozen


def changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return what happened to files between two lists of digests, in words."""
    return [
        f"{name} was {'added' if name not in before else 'removed' if name not in now else 'changed'}"
        for name in sorted(before.keys() | now.keys())
        if before.get(name) != now.get(name)
    ]


def file_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of competition.toml and of every file of the submissions and workloads, by path."""
    files = [folder / layout.DECLARATION, *(file for name in _BOUND for file in own_files(folder / name))]
    return digests(folder, files)


def digests(folder: Path, files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of files, by their path from the folder."""
    found = {}
    for file in sorted(files):
        name = file.relative_to(folder).as_posix()
        if not name.isprintable():  # SHA256SUMS has one line of UTF-8 for each
            raise RefusedFile(f"{printable(file)}: its name has characters that cannot be printed; rename it")
        found[name] = _sha256(read_bytes(file, limit=1 << 31))
    return found


def tree_digests(tree: Path) -> dict[str, str]:
    """Return one SHA-256 for the harness and one for the operation, over the paths and digests of their files."""
    found = {}
    for name in ("harness", f"operations/{OPERATION}"):
        lines = [f"{digest}  {path}\n" for path, digest in digests(tree / name, own_files(tree / name)).items()]
        found[name] = _sha256("".join(lines).encode())
    return found


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
