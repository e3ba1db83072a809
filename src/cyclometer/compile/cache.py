# SPDX-License-Identifier: MIT OR Apache-2.0
"""A folder of files named by the hash of all that went into them.

An entry is written under a temporary name and renamed, so that a build that is
killed leaves nothing half-made. What failed is kept too: a second run need not
hear the compiler's complaints again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclometer import paths
from cyclometer.errors import StorageFailed


@dataclass(frozen=True)
class ToolFailure:
    """A build that failed, with the tool's last words."""

    words: str


class Cache:
    """`folder` is $CYCLOMETER_CACHE, else $XDG_CACHE_HOME/cyclometer, else ~/.cache/cyclometer."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or paths.cache_folder()
        self.made = 0  # entries that had to be built, for the run's report
        self._turns: dict[str, threading.Lock] = {}
        self._digests: dict[Path, str] = {}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageFailed(
                f"cannot write the build cache {self.folder}: {error.strerror}; set CYCLOMETER_CACHE to another"
            ) from None

    @staticmethod
    def key(*ingredients: Any) -> str:
        """The name of whatever these JSON values make."""
        return hashlib.sha256(json.dumps(ingredients, sort_keys=True, default=str).encode()).hexdigest()[:40]

    def make(self, key: str, suffix: str, builder: Callable[[Path], str]) -> Path | ToolFailure:
        """The cached file, or what `builder` (a path to fill -> '' or the tool's last words) makes of it.
        Who asks for what another thread is making waits for it."""
        with self._turns.setdefault(key, threading.Lock()):
            return self._make(key, suffix, builder)

    def has(self, key: str, suffix: str) -> bool:
        """Whether it is there without making it."""
        return (self.folder / key[:2] / f"{key}{suffix}").exists()

    def digest(self, made: Path) -> str:
        """The hash of what is in an entry: different ingredients may make the same thing."""
        if made not in self._digests:
            self._digests[made] = hashlib.sha256(made.read_bytes()).hexdigest()
        return self._digests[made]

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder inside the cache, gone afterwards."""
        folder = self.folder / f"scratch-{secrets.token_hex(8)}"
        try:
            folder.mkdir()
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _make(self, key: str, suffix: str, builder: Callable[[Path], str]) -> Path | ToolFailure:
        place = self.folder / key[:2]
        done, failed = place / f"{key}{suffix}", place / f"{key}.failed"
        if done.exists():
            return done
        if failed.exists():
            return ToolFailure(failed.read_text(encoding="utf-8"))
        place.mkdir(exist_ok=True)
        scratch = place / f".{secrets.token_hex(8)}{suffix}"
        try:
            return self._fill(scratch, done, failed, builder(scratch))
        except OSError as error:
            raise StorageFailed(f"cannot write the build cache {self.folder}: {error.strerror}") from None
        finally:
            scratch.unlink(missing_ok=True)

    def _fill(self, scratch: Path, done: Path, failed: Path, words: str) -> Path | ToolFailure:
        self.made += 1
        if words:
            scratch.write_text(words, encoding="utf-8")
            os.replace(scratch, failed)
            return ToolFailure(words)
        os.replace(scratch, done)
        return done
