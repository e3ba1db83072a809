# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds a provider's Rust package as a static library with cargo.

Nothing is fetched: cargo runs without a network and with the user's folder of
crates read-only. A failure for missing crates names the `cargo fetch` to run.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from functools import cache as cache_calls
from pathlib import Path

from cyclometer.compile.build_tool import run_build_tool, take
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.packages import MissingLibrary, Package
from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind

_NOT_FETCHED = "offline"  # occurs in cargo's message if a crate is not on this machine
RUST_LIBRARIES = ("-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl")  # needed by Rust's standard library


class _MissingError(Exception):
    """A failure that must not be cached, because the user can remedy it."""

    def __init__(self, missing: MissingLibrary) -> None:
        super().__init__(missing.name)
        self.missing = missing


def crate_archive(
    folder: Path, cache: Cache, flags: tuple[str, ...], cpu: str
) -> Package | ToolFailure | MissingLibrary:
    """Build the package with rustc's `flags`; return what to link with, cargo's last words, or what is missing."""
    compiler = rustc()
    if not compiler or not shutil.which("cargo"):
        return MissingLibrary(FailureKind.NEEDS_TOOL, "cargo (Debian: apt install cargo)")
    manifest = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))
    required = manifest["package"].get("rust-version", "0")
    if _numbers(compiler[0]) < _numbers(required):
        return MissingLibrary(FailureKind.NEEDS_TOOL, f"Rust {required} or newer (here: {compiler[0]})")
    sources = sorted(path for path in folder.rglob("*") if path.suffix in (".rs", ".toml"))
    parts = [(str(path.relative_to(folder)), path.read_text(encoding="utf-8")) for path in sources]
    key = Cache.key("crate", parts, compiler[1], flags, cpu)
    try:
        archive = cache.make(key, ".a", lambda out: _build(folder, cache, flags, out))
    except _MissingError as error:
        return error.missing
    if isinstance(archive, ToolFailure):
        return archive
    return Package(libs=(str(archive), *RUST_LIBRARIES), identity=cache.digest(archive))


@cache_calls
def rustc() -> tuple[str, str, Path] | None:
    """Return rustc's release, its verbose version and the folder of its toolchain; None if it is not installed.

    The folder is the real one where rustup puts a proxy before it.
    """
    outcome = sandbox.run_tool(["rustc", "-vV"], 60)
    root = sandbox.run_tool(["rustc", "--print", "sysroot"], 60)
    version = outcome.stdout.decode(errors="replace")
    release = re.search(r"^release: (\S+)", version, re.MULTILINE)
    if outcome.problem or root.problem or not release:
        return None
    return release[1], version, Path(root.stdout.decode().strip())


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:3]]


def _build(folder: Path, cache: Cache, flags: tuple[str, ...], out: Path) -> str:
    with cache.scratch() as scratch:
        shutil.copyfile(folder / "Cargo.toml", scratch / "Cargo.toml")
        shutil.copytree(folder / "src", scratch / "src")
        outcome = _cargo(scratch, flags)
        message = outcome.last_words()
        if outcome.problem and _NOT_FETCHED in message:
            what = f"crates that are not on this machine: cargo fetch --manifest-path {folder / 'Cargo.toml'}"
            raise _MissingError(MissingLibrary(FailureKind.NEEDS_LIBRARY, what))
        if outcome.problem:
            return message or outcome.problem
        [archive] = (scratch / "target" / "release").glob("*.a")
        return take(archive, out)


def _cargo(scratch: Path, flags: tuple[str, ...]) -> sandbox.Outcome:
    compiler = rustc()
    assert compiler
    root = compiler[2]
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    # Not the whole of cargo's home, which also holds credentials.
    readable = [p for p in (home / "registry", home / "config.toml", root) if p.exists()]
    environment = [
        f"CARGO_HOME={home}",
        f"PATH={root / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}",
        f"RUSTFLAGS={' '.join(flags)}",
    ]
    command = ["cargo", "build", "--release", "--offline", "--quiet", "--target-dir", "target"]
    return run_build_tool(["env", *environment, *command], readable=readable, writable=scratch)
