# SPDX-License-Identifier: MIT OR Apache-2.0
"""Known answers of NIST's post-quantum call: the first records of a file *.rsp, which an implementation computes."""

from __future__ import annotations

import hashlib
import io
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from cyclometer.discover.foreign._tree import ForeignImplementation, ForeignTree, ancestors
from cyclometer.errors import RefusedFile
from cyclometer.records.catalogue import Oracle
from cyclometer.untrusted import is_inside, shortened, walk, with_suffixes
from cyclometer.vectors.templates import is_hex

_RECORDS = 3  # of a .rsp that are checked: the first ones
_LINES = 1000  # of a .rsp that are read: three records have fewer than fifty
_SEED = 96  # digits of a record's seed
_MAX_ASKED = 100_000  # digits of a record that become an argument of a program, which Linux limits to 128 KiB
_FIRST_LINE = 1000  # bytes of it that are read
_ALGORITHM = re.compile(r'^[ \t]*#[ \t]*define[ \t]+CRYPTO_ALGNAME[ \t]+"([^"\n]*)"', re.MULTILINE)
_COUNT = re.compile(r"[0-9]{1,19}")
_DEPTH = 5  # levels of folders below KAT in which files are searched


def named_responses(home: Path, root: Path) -> Iterator[Path]:
    """Yield what is called *.rsp in a folder of the tree `root` and below its folder KAT, or KAT if it leads out."""
    yield from with_suffixes(home, (".rsp",))
    kat = home / "KAT"
    if not is_inside(kat, root):
        yield kat
        return
    for folder, names in walk(kat, _DEPTH):
        yield from (folder / name for name in sorted(names or ()) if name.endswith(".rsp") and name[0] != ".")


def records(listed: ForeignImplementation, tree: ForeignTree, fields: Sequence[str]) -> Iterator[Oracle]:
    """Yield what must be computed: the first records of the package's .rsp for this algorithm."""
    named = _ALGORITHM.search(tree.text(listed.api))
    if not fields or not named:
        return
    for file in _responses(listed.folder, tree):
        first = tree.start_text(file, _FIRST_LINE).split("\n")[0]
        if first.strip().removeprefix("#").strip() != named[1]:
            continue
        lines = itertools.islice(io.StringIO(tree.start_text(file)), _LINES)
        next(lines, "")
        for _ in range(_RECORDS):
            record = _record(lines)
            if not record:
                return
            if set(record) < set(fields):
                raise RefusedFile(f"{file.relative_to(tree.root)} is cut off in one of the first {_RECORDS} records")
            if tuple(record) != tuple(fields):
                return
            if not _can_be_asked(record):
                name = f"{file.relative_to(tree.root)}: the record with count {shortened(record['count'])}"
                needs = f"a decimal count, a hexadecimal msg that is not too long, and {_SEED} digits as seed"
                raise RefusedFile(f"{name} needs {needs}")
            message = f" {record['msg'].lower()}" if record.get("mlen", "0").strip("0") else ""
            text = "".join(f"{name} = {value}\n" for name, value in record.items())
            digest = hashlib.sha256(text.encode()).hexdigest()
            name = f"record drbg {record['count']} {record['seed'].lower()}{message}"
            yield Oracle(name=name, expected=f"sha256 {digest}")
        return


def _can_be_asked(record: dict[str, str]) -> bool:
    """Return whether count, seed and message can be arguments of a program."""
    asked = [record[name].lower() for name in ("seed", "msg") if name in record]
    return (
        bool(_COUNT.fullmatch(record["count"]))
        and all(map(is_hex, asked))
        and len(record.get("seed", "")) == _SEED
        and sum(map(len, asked)) <= _MAX_ASKED
    )


def _responses(folder: Path, tree: ForeignTree) -> list[Path]:
    """Return what is called *.rsp in the nearest folder above it, in the tree, that has any."""
    for home in ancestors(folder):
        if not home.is_relative_to(tree.root):
            break
        if files := sorted(named_responses(home, tree.root)):
            return files
    return []


def _record(lines: Iterator[str]) -> dict[str, str]:
    """Return the fields up to the next empty line; empty lines before the first field are skipped."""
    record: dict[str, str] = {}
    for line in lines:
        name, equals, value = (word.strip() for word in line.partition("="))
        if equals:
            record[name] = value
        elif record:
            break
    return record
