# SPDX-License-Identifier: MIT OR Apache-2.0
"""The format of a bundle: a tar archive of which every byte is determined by its signed manifest.

`manifest.json.sig` comes first, then `manifest.json`, then the files that the manifest lists, in its order. Headers are
those that this module writes and no others, so that no byte can change without being noticed.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import BaseModel, ConfigDict, ValidationError

from cyclometer import paths, signing
from cyclometer.errors import BadSignature, RefusedFile
from cyclometer.store import RUN_FILES, StoredRun, run_files, wrong_files
from cyclometer.untrusted import files_below, printable

NAMESPACE = "runs@cyclometer"
SIGNATURE, MANIFEST, SOURCES = "manifest.json.sig", "manifest.json", "sources.tar.gz"
MAX_MANIFEST = 1 << 20
BLOCK = 512
_NAME = re.compile(r"runs/\d{1,4}/[a-zA-Z0-9.]{1,40}|sources\.tar\.gz")


class RefusedBundle(RefusedFile):
    """A bundle that is not as it was signed, or not in the documented format."""


class Manifest(BaseModel):
    """manifest.json: the files of the bundle, in their order, with their SHA-256 digests."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    format: Literal[1]
    files: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """A bundle whose signature and digests are right. `signer` is a public line; whether it is trusted is open."""

    signer: str
    runs: tuple[Mapping[str, bytes], ...]  # the files of each run, by name


def make_bundle(runs: Sequence[StoredRun], tree: Path, key: Ed25519PrivateKey) -> bytes:
    """Return the bundle of complete runs, with the sources that they were built from, signed."""
    files = {
        f"runs/{n}/{name}": content for n, run in enumerate(runs) for name, content in run_files(run.folder).items()
    }
    files[SOURCES] = _sources(tree)
    manifest = {"format": 1, "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}}
    text = json.dumps(manifest, indent=1).encode() + b"\n"
    signature = signing.sign(text, key, NAMESPACE).encode("ascii")
    return packed({SIGNATURE: signature, MANIFEST: text, **files})


def read_bundle(content: bytes) -> Bundle:
    """Check every byte of a bundle; `RefusedBundle` names the first part that is wrong. Nothing is unpacked."""
    members = _members(content)
    if [*members][:2] != [SIGNATURE, MANIFEST]:
        raise RefusedBundle(f"the bundle does not begin with {SIGNATURE} and {MANIFEST}")
    try:
        signer = signing.verify(members[MANIFEST], members[SIGNATURE].decode("ascii"), NAMESPACE)
    except (BadSignature, UnicodeDecodeError) as error:
        raise RefusedBundle(f"{MANIFEST}: {error}") from None
    manifest = _manifest(members[MANIFEST])
    if [*members][2:] != [*manifest.files]:
        raise RefusedBundle(f"the bundle does not have exactly the files of {MANIFEST}, in their order")
    for name, digest in manifest.files.items():
        if hashlib.sha256(members[name]).hexdigest() != digest:
            raise RefusedBundle(f"{name} is not as it was signed: its SHA-256 differs")
    if packed(members) != content:
        raise RefusedBundle(
            f"the bundle has bytes that nobody signed, at {_first_difference(packed(members), content)}"
        )
    return Bundle(signer=signer, runs=_runs(members))


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return the files as the one tar archive that a bundle may be."""
    parts = []
    for name, content in files.items():
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = len(content), 0o644
        parts += [entry.tobuf(tarfile.USTAR_FORMAT, "ascii"), content, b"\0" * (-len(content) % BLOCK)]
    return b"".join([*parts, b"\0" * (2 * BLOCK)])


def _members(content: bytes) -> dict[str, bytes]:
    """Return the files of the archive in their order, as far as its end."""
    found: dict[str, bytes] = {}
    at = 0
    while content[at : at + BLOCK].strip(b"\0"):
        try:
            entry = tarfile.TarInfo.frombuf(content[at : at + BLOCK], "ascii", "strict")
        except (tarfile.TarError, ValueError) as error:
            raise RefusedBundle(f"byte {at:,}: not the header of a tar archive ({error})") from None
        end = at + BLOCK + entry.size
        known = entry.name in (SIGNATURE, MANIFEST) or _NAME.fullmatch(entry.name)
        if not entry.isreg() or not known or entry.name in found or entry.size < 0 or end > len(content):
            raise RefusedBundle(f"byte {at:,}: {printable(entry.name)[:80]} is no file of a bundle, or is cut off")
        found[entry.name] = content[at + BLOCK : end]
        at = end + (-entry.size % BLOCK)
    return found


def _manifest(text: bytes) -> Manifest:
    if len(text) > MAX_MANIFEST:
        raise RefusedBundle(f"{MANIFEST} is larger than {MAX_MANIFEST:,} bytes")
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise RefusedBundle(f"{MANIFEST}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _runs(members: Mapping[str, bytes]) -> tuple[Mapping[str, bytes], ...]:
    runs: dict[str, dict[str, bytes]] = {}
    for name in members:
        if name.startswith("runs/"):
            _, number, file = name.split("/")
            runs.setdefault(number, {})[file] = members[name]
    for number, files in runs.items():
        if wrong_files(files):
            raise RefusedBundle(f"runs/{number} does not have the files of a run: {', '.join(sorted(RUN_FILES))}")
    if not runs:
        raise RefusedBundle("the bundle holds no run")
    return tuple(runs.values())


def _first_difference(one: bytes, other: bytes) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"byte {at:,}"


def _sources(tree: Path) -> bytes:
    """Return the tree that builds everything, the same bytes for the same files."""
    stream = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) as squeezed,
        tarfile.open(fileobj=squeezed, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for folder in paths.TREE:
            for path in files_below(tree / folder, tree) if (tree / folder).is_dir() else []:
                entry: Any = tarfile.TarInfo(str(path.relative_to(tree)))
                content = path.read_bytes()
                entry.size, entry.mode = len(content), 0o644
                archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()
