# SPDX-License-Identifier: MIT OR Apache-2.0
"""A foreign tree on every machine of a fleet.

A machine that sees the same files at the same path uses them there; to any other, the tree travels in pieces. It stays
in that machine's cache, so that a later campaign finds it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from distributed import Client

from cyclometer import paths
from cyclometer.discover import recognise
from cyclometer.errors import first_line, on_disk
from cyclometer.fleet.crew import Crew
from cyclometer.fleet.roll import Roll, SchedulerLost

PIECE = 4 << 20  # bytes
LOOK_SECONDS = 0.02
ANSWER_SECONDS = 60
KEPT_SECONDS = 30 * 86400
"""How long a machine keeps a tree that no campaign uses."""


@dataclass(frozen=True, kw_only=True)
class TreeImage:
    """A foreign tree on the client: the same `digest` means the same names, sizes and times of files."""

    root: Path
    part: str  # the selected folder, relative to the root
    digest: str

    @classmethod
    def of(cls, folder: str) -> TreeImage:
        """Return the image of the tree that a folder is, or is a part of."""
        found = recognise(Path(folder))
        return cls(root=found.root, part=str(found.part.relative_to(found.root)), digest=_digest(found.root))

    @property
    def copy(self) -> Path:
        """Where a machine keeps its copy; the name of the root is kept, because tables show it."""
        return paths.cache_folder() / "fleet" / "trees" / self.digest / (self.root.name or "tree")


def found_there(image: TreeImage) -> str:
    """Return the folder of the tree's selected part on this machine, or '' if the tree must travel here."""
    with suppress(OSError):
        if image.root.is_dir() and _digest(image.root) == image.digest:
            return str(image.root / image.part)
    if image.copy.is_dir():
        os.utime(image.copy.parent)
        return str(image.copy / image.part)
    return ""


def take_piece(image: TreeImage, start: int, piece: bytes) -> None:
    """Write a piece of the tree's archive; a piece may come twice, and in any order."""
    archive = _arriving(image)
    with on_disk("write", archive):
        archive.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(archive, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.pwrite(file, piece, start)
        finally:
            os.close(file)


def unpack(image: TreeImage, sha256: str) -> str:
    """Unpack the tree once all of its archive is here; remove trees that were not used for long. Return its folder."""
    if image.copy.is_dir():  # this step was done, and is repeated
        return str(image.copy / image.part)
    archive = _arriving(image)
    with on_disk("write", image.copy):
        with archive.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != sha256:
                raise OSError(None, "what arrived of the tree is not what was sent", str(archive))
        folder = Path(tempfile.mkdtemp(dir=archive.parent, prefix="unpacking-"))
        try:
            with tarfile.open(archive) as packed:
                packed.extraction_filter = lambda entry, _: entry  # the client may run commands here anyway
                packed.extractall(folder / image.copy.name)
            os.rename(folder, image.copy.parent)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            archive.unlink()
        for other in archive.parent.iterdir():
            if time.time() - other.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
    return str(image.copy / image.part)


@dataclass(frozen=True)
class Carrier:
    """Brings a tree to machines; one that cannot take it is refused, and the others go on."""

    client: Client
    crew: Crew
    roll: Roll
    image: TreeImage

    def bring(self, machines: Iterable[str]) -> dict[str, str]:
        """Return the folder of the tree on each machine that has it now."""
        found: dict[str, str] = self._on_each(machines, found_there)
        if lacking := [name for name, folder in found.items() if not folder]:
            self.roll.say(f"{', '.join(lacking)}: the tree {self.image.root.name} travels there")
            with packed(self.image.root) as (archive, sha256):
                for start in iter(archive.tell, os.fstat(archive.fileno()).st_size):
                    lacking = list(self._on_each(lacking, take_piece, start, archive.read(PIECE)))
            found |= self._on_each(lacking, unpack, sha256)
        return {name: folder for name, folder in found.items() if folder and name not in self.roll.refused}

    def _on_each(self, machines: Iterable[str], function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """Return what a function returned on each machine that is left; a step whose worker is lost is done again."""
        key = f"{function.__name__}-{self.image.digest}-{arguments[0] if arguments else ''}"
        waiting = {
            name: self.client.submit(
                function, self.image, *arguments, key=f"{key}-{name}", resources={f"collect {name}": 1}
            )
            for name in machines
        }
        while not all(future.done() for future in waiting.values()):
            time.sleep(LOOK_SECONDS)
            self.roll.look_after(self.crew)
            waiting = {name: future for name, future in waiting.items() if name not in self.roll.refused}
        results = {}
        for name, future in waiting.items():
            try:
                results[name] = future.result(timeout=ANSWER_SECONDS)
            except Exception as error:
                if not self.crew.scheduler.alive or future.status in ("cancelled", "lost"):
                    raise SchedulerLost from None
                self.roll.refuse(name, f"the tree cannot travel there: {first_line(error)}")
        return results


@contextmanager
def packed(root: Path) -> Iterator[tuple[IO[bytes], str]]:
    """Yield an archive of the tree, opened at its beginning, and its SHA-256. What links lead out is left out."""
    with tempfile.TemporaryFile() as archive:
        with tarfile.open(fileobj=archive, mode="w:gz", compresslevel=1) as packed:
            for path in _entries(root):
                entry = packed.gettarinfo(path, str(path.relative_to(root)))
                entry.uid = entry.gid = 0
                entry.uname = entry.gname = ""
                if entry.issym():
                    entry.linkname = os.path.relpath(path.resolve(), path.parent)  # an absolute one leads nowhere there
                with path.open("rb") if entry.isreg() else nullcontext() as content:
                    packed.addfile(entry, content)
        archive.seek(0)
        sha256 = hashlib.file_digest(archive, "sha256").hexdigest()
        archive.seek(0)
        yield archive, sha256


def _entries(root: Path) -> Iterator[Path]:
    """Yield the regular files of a tree and its links to files and folders inside it, sorted."""
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted([*files, *(name for name in folders if os.path.islink(os.path.join(folder, name)))]):
            path = Path(folder, name)
            if path.is_symlink():
                if path.exists() and path.resolve().is_relative_to(root):
                    yield path
            elif path.is_file():
                yield path


def _digest(root: Path) -> str:
    digest = hashlib.sha256()
    for path in _entries(root):
        status = path.lstat()
        digest.update(f"{path.relative_to(root)}\0{status.st_size}\0{status.st_mtime_ns}\0".encode(errors="replace"))
    return digest.hexdigest()[:20]


def _arriving(image: TreeImage) -> Path:
    return image.copy.parent.with_suffix(".tar")
