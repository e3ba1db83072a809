# SPDX-License-Identifier: MIT OR Apache-2.0
"""The CPU's intrinsics, read once by each compiler: half of the time that a short source with them takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cyclometer import process
from cyclometer.build.cache import Cache, Rejected
from cyclometer.model import Compiler

HEADER = "<immintrin.h>"


def read_before(compiler: Compiler, flags: Sequence[str], cache: Cache, cpu: str) -> list[str]:
    """What tells the compiler that the header has been read; nothing where it cannot be. `flags`, beside the
    compiler's own, are those that all sources share: given others, GNU C reads the header again by itself, clang
    gives up."""
    flags = (*compiler.flags, *flags)
    key = Cache.key("intrinsics", compiler.command, compiler.version, cpu, flags)
    text = cache.make(key, ".h", _header)
    if isinstance(text, Rejected):
        return []
    clang = "clang" in compiler.version
    more = ["-Xclang", "-fno-pch-timestamp"] if clang else []
    command = [compiler.command, *flags, *more, "-x", "c-header", str(text), "-o"]
    # GNU C finds x.h.gch when it is told x.h; clang is told which file it is.
    made = cache.make(key, ".pch" if clang else ".h.gch", lambda out: process.run_tool([*command, str(out)]).problem)
    if isinstance(made, Rejected):
        return []
    return ["-include-pch", str(made)] if clang else ["-include", str(text)]


def _header(out: Path) -> str:
    out.write_text(f"#include {HEADER}\n", encoding="utf-8")
    return ""
