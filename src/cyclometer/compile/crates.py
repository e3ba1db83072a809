# SPDX-License-Identifier: MIT OR Apache-2.0
"""A provider's Rust package as a static library, built by cargo.

Nothing is fetched here: cargo sees no network, and the user's folder of crates
read-only. Who wants the crates runs `cargo fetch`, once, as the failure says.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from functools import cache as cache_calls
from pathlib import Path

from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.packages import MissingLibrary, Package
from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind

CRATE_BUILD_SECONDS = 900.0
_NOT_FETCHED = "offline"  # as cargo says where a crate is not on this machine
LINKED = ("-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl")  # what Rust's standard library stands on


class _Lack(Exception):
    """Nothing that the cache should remember: the user can mend it."""

    def __init__(self, missing: MissingLibrary) -> None:
        super().__init__(missing.name)
        self.missing = missing


def crate_archive(
    folder: Path, cache: Cache, flags: tuple[str, ...], cpu: str
) -> Package | ToolFailure | MissingLibrary:
    """What to link with; cargo's last words; or what is missing. `flags` are rustc's."""
    compiler = rustc()
    if not compiler or not shutil.which("cargo"):
        return MissingLibrary(FailureKind.NEEDS_TOOL, "cargo (Debian: apt install cargo)")
    manifest = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))
    wanted = manifest["package"].get("rust-version", "0")
    if _numbers(compiler[0]) < _numbers(wanted):
        return MissingLibrary(FailureKind.NEEDS_TOOL, f"Rust {wanted} or newer (here: {compiler[0]})")
    sources = sorted(path for path in folder.rglob("*") if path.suffix in (".rs", ".toml"))
    parts = [(str(path.relative_to(folder)), path.read_text(encoding="utf-8")) for path in sources]
    key = Cache.key("crate", parts, compiler[1], flags, cpu)
    try:
        made = cache.make(key, ".a", lambda out: _build(folder, cache, flags, out))
    except _Lack as lack:
        return lack.missing
    if isinstance(made, ToolFailure):
        return made
    return Package(libs=(str(made), *LINKED), identity=cache.digest(made))


@cache_calls
def rustc() -> tuple[str, str, Path] | None:
    """Version, all that it says of itself, and the folder of its toolchain (behind rustup's proxy, if any)."""
    told = sandbox.run_tool(["rustc", "-vV"], 60)
    root = sandbox.run_tool(["rustc", "--print", "sysroot"], 60)
    said = told.stdout.decode(errors="replace")
    release = re.search(r"^release: (\S+)", said, re.MULTILINE)
    if told.problem or root.problem or not release:
        return None
    return release[1], said, Path(root.stdout.decode().strip())


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:3]]


def _build(folder: Path, cache: Cache, flags: tuple[str, ...], out: Path) -> str:
    with cache.scratch() as scratch:
        shutil.copyfile(folder / "Cargo.toml", scratch / "Cargo.toml")
        shutil.copytree(folder / "src", scratch / "src")
        outcome = _cargo(scratch, flags)
        words = outcome.last_words()
        if outcome.problem and _NOT_FETCHED in words:
            words = f"crates that are not on this machine: cargo fetch --manifest-path {folder / 'Cargo.toml'}"
            raise _Lack(MissingLibrary(FailureKind.NEEDS_LIBRARY, words))
        if outcome.problem and (outcome.status is None or outcome.status < 0):
            words = f"more time or memory than cargo had: {outcome.problem}"
            raise _Lack(MissingLibrary(FailureKind.NEEDS_TOOL, words))
        if outcome.problem:
            return words or outcome.problem
        [archive] = (scratch / "target" / "release").glob("*.a")
        shutil.copyfile(archive, out)
        return ""


def _cargo(scratch: Path, flags: tuple[str, ...]) -> sandbox.Outcome:
    compiler = rustc()
    assert compiler
    root = compiler[2]
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    # Not the whole home of cargo: credentials are there.
    readable = [p for p in (home / "registry", home / "config.toml", root) if p.exists()]
    environment = [
        f"CARGO_HOME={home}",
        f"PATH={root / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}",
        f"RUSTFLAGS={' '.join(flags)}",
    ]
    command = ["cargo", "build", "--release", "--offline", "--quiet", "--target-dir", "target"]
    return sandbox.run_confined_tool(
        ["env", *environment, *command], readable=readable, writable=scratch, seconds=CRATE_BUILD_SECONDS
    )
