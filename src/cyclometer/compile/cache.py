# SPDX-License-Identifier: MIT OR Apache-2.0
"""The build cache: files named by the hash of everything that went into them.

An entry is written under a temporary name and renamed, so that a build that is
killed leaves nothing incomplete. Its SHA-256 lies in a file beside it and is
compared once per command; an entry that is damaged is made again. Failures are
cached, too, so that a second run does not repeat them.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclometer import paths
from cyclometer.compile.cache_limit import sum_file, trim_daily, used
from cyclometer.errors import RefusedFile, StorageFailed
from cyclometer.execute import sandbox
from cyclometer.kept import write_to_cache
from cyclometer.untrusted import read_text

_MAX_SUM = 1000  # bytes of a file with a digest


@dataclass(frozen=True)
class ToolFailure:
    """A build that failed, with the tool's last words."""

    message: str


class Cache:
    """`folder` is $CYCLOMETER_CACHE, else $XDG_CACHE_HOME/cyclometer, else ~/.cache/cyclometer."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or paths.cache_folder()).absolute()
        self.built = 0  # entries that were not in the cache
        self._locks: dict[str, threading.Lock] = {}
        self._digests: dict[Path, str] = {}  # of the entries that this command has found whole, or has made
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageFailed(
                f"cannot write the build cache {self.folder}: {error.strerror}; set CYCLOMETER_CACHE to another"
            ) from None
        trim_daily(self.folder)

    @staticmethod
    def key(*ingredients: Any) -> str:
        """Return the name of the entry that these JSON values determine."""
        return hashlib.sha256(json.dumps(ingredients, sort_keys=True, default=str).encode()).hexdigest()[:40]

    def make(self, key: str, suffix: str, builder: Callable[[Path], str]) -> Path | ToolFailure:
        """Return the cached file; if there is none, let `builder` write it.

        `builder` gets the path to write and returns '' or the tool's last words. Only one thread builds an entry;
        the others wait for it.
        """
        with self._locks.setdefault(key, threading.Lock()):
            return self._make(key, suffix, builder)

    def make_value(self, key: str, suffix: str, find: Callable[[], Any]) -> Any:
        """Return what `find` returned, now or earlier, as JSON keeps it."""

        def write(out: Path) -> str:
            out.write_text(json.dumps(find()), encoding="utf-8")
            return ""

        made = self.make(key, suffix, write)
        assert isinstance(made, Path)
        return json.loads(made.read_text(encoding="utf-8"))

    def has(self, key: str, suffix: str) -> bool:
        """Return whether the entry is cached."""
        return (self.folder / key[:2] / f"{key}{suffix}").exists()

    def digest(self, entry: Path) -> str:
        """Return the hash of an entry's contents, which may be the same for different keys."""
        if entry not in self._digests:
            self._digests[entry] = _sha256(entry)
        return self._digests[entry]

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Create a temporary folder inside the cache, which is removed afterwards."""
        folder = self.folder / f"scratch-{secrets.token_hex(8)}"
        try:
            folder.mkdir(parents=True)  # somebody may have removed the cache meanwhile
            yield folder
        finally:
            _remove(folder)

    def _make(self, key: str, suffix: str, builder: Callable[[Path], str]) -> Path | ToolFailure:
        folder = self.folder / key[:2]
        done, failed = folder / f"{key}{suffix}", folder / f"{key}.failed"
        if self._whole(done):
            return done
        if self._whole(failed):
            return ToolFailure(failed.read_text(encoding="utf-8", errors="replace"))
        scratch = folder / f".{secrets.token_hex(8)}{suffix}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            message = builder(scratch)
            self.built += 1
            if not message:
                self._put(scratch, done)
                return done
            scratch.write_text(message, encoding="utf-8", errors="surrogateescape")
            self._put(scratch, failed)
            return ToolFailure(message)
        except OSError as error:
            raise StorageFailed(f"cannot write the build cache {self.folder}: {error.strerror}") from None
        finally:
            with suppress(OSError):  # a file system that is read-only, which was said
                scratch.unlink()

    def _whole(self, entry: Path) -> bool:
        """Return whether an entry is in the cache, and is what was put there."""
        if not used(entry):
            return False
        if entry in self._digests:
            return True
        try:
            listed, digest = read_text(sum_file(entry), limit=_MAX_SUM).split(" ")[0], _sha256(entry)
        except (OSError, RefusedFile):
            return False
        if listed == digest:
            self._digests[entry] = digest
        return listed == digest

    def _put(self, made: Path, entry: Path) -> None:
        """Give a file that was made its name. Its digest goes first, as an entry without one would be made again."""
        digest = _sha256(made)
        write_to_cache(sum_file(entry), f"{digest}  {entry.name}\n".encode())  # as sha256sum writes and checks it
        os.replace(made, entry)
        self._digests[entry] = digest


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remove(folder: Path) -> None:
    """Remove a folder with whatever a build left there: folders that nobody may read, or a thousand levels deep."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        sandbox.run_tool(["sh", "-c", 'chmod -R u+rwX "$0"; rm -rf "$0"', str(folder)])
