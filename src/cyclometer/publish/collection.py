# SPDX-License-Identifier: MIT OR Apache-2.0
"""A public collection of runs: takes bundles that are whole, trusted and plausible. It runs no code of theirs."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclometer import signing
from cyclometer.errors import StorageFailed
from cyclometer.paths import temporary_folder
from cyclometer.publish.bundle import NAMESPACE, Bundle, RefusedBundle, read_bundle
from cyclometer.publish.described import MAX_BYTES
from cyclometer.publish.plausible import require_plausible
from cyclometer.store import (
    RUN_FILE,
    SAMPLES_FILE,
    Identity,
    add_run,
    run_info,
    storage,
    stored_identities,
    write_whole,
)

DAY = 86400


@dataclass(frozen=True, kw_only=True)
class Quota:
    """What one key may send, and how large a bundle may be."""

    bundle_bytes: int = 256 << 20
    bundles_per_day: int = 100
    bytes_per_day: int = 2 << 30


@dataclass(frozen=True, kw_only=True)
class Collection:
    """A folder with `runs/`, the folder of results that every command reads, and `bundles/`, as they were sent."""

    folder: Path
    trusted: Iterable[signing.TrustedKey]  # asked anew for each bundle
    contracts: Mapping[str, str]
    quota: Quota = Quota()

    @property
    def results(self) -> Path:
        """The folder of results."""
        return self.folder / "runs"

    def take(self, content: bytes) -> list[Path]:
        """Examine a bundle and store its runs; return their folders. `RefusedBundle` says why nothing was stored."""
        if len(content) > self.quota.bundle_bytes:
            raise RefusedBundle(f"the bundle is larger than {self.quota.bundle_bytes:,} bytes")
        bundle = read_bundle(content)
        if reason := signing.refusal(self.trusted, bundle.signer, NAMESPACE):
            raise RefusedBundle(reason)
        self._require_quota(bundle, len(content))
        self._require_identities([self._require_run(files, number) for number, files in enumerate(bundle.runs)])
        stored = [add_run(self.results, files) for files in bundle.runs]
        self._keep(bundle, content)
        return stored

    def _require_run(self, files: Mapping[str, bytes], number: int) -> Identity:
        """Store the run in a folder apart, which checks its digests and its run.json; then ask whether it can be."""
        if len(files[RUN_FILE]) > MAX_BYTES:
            raise RefusedBundle(f"runs/{number}: its {RUN_FILE} is larger than {MAX_BYTES:,} bytes")
        with temporary_folder("collect") as apart:
            try:
                info = run_info(add_run(apart, files))
            except StorageFailed as error:
                raise RefusedBundle(f"runs/{number}: {str(error).replace(str(apart), '')}") from None
        require_plausible(files, self.contracts, f"runs/{number}")
        samples = hashlib.sha256(files[SAMPLES_FILE]).hexdigest()
        return Identity(id=info.id, samples=samples, machines=frozenset({info.machine}))

    def _require_identities(self, runs: Sequence[Identity]) -> None:
        """Refuse another run under the id of one that is stored, or in the bundle, before anything is stored."""
        known = stored_identities(self.results)
        for number, run in enumerate(runs):
            if difference := known.setdefault(run.id, run).difference(run):
                raise RefusedBundle(f"runs/{number}: another run has its id, {run.id}, but {difference}")

    def _bundles_of(self, bundle: Bundle) -> Path:
        return self.folder / "bundles" / hashlib.sha256(bundle.signer.encode()).hexdigest()[:20]

    def _require_quota(self, bundle: Bundle, size: int) -> None:
        recent = [
            path.stat() for path in self._bundles_of(bundle).glob("*.tar") if time.time() - path.stat().st_mtime < DAY
        ]
        if len(recent) >= self.quota.bundles_per_day:
            raise RefusedBundle(f"this key has sent {len(recent)} bundles within a day, the most that it may")
        if size + sum(status.st_size for status in recent) > self.quota.bytes_per_day:
            raise RefusedBundle(f"this key would exceed {self.quota.bytes_per_day:,} bytes within a day")

    def _keep(self, bundle: Bundle, content: bytes) -> None:
        path = self._bundles_of(bundle) / f"{hashlib.sha256(content).hexdigest()}.tar"
        with storage("write", path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda temporary: temporary.write_bytes(content))
