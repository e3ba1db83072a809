# SPDX-License-Identifier: MIT OR Apache-2.0
"""Headers that take longer to read than what includes them, read once by each compiler: the CPU's intrinsics, and
what a provider names in its `precompiled.h`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.toolchain import predefined
from cyclometer.execute import sandbox
from cyclometer.records.catalogue import Compiler

INTRINSICS = "<immintrin.h>"


def read_before(
    compiler: Compiler, text: str, flags: Sequence[str], cache: Cache, identity: Sequence[str], cplusplus: bool = False
) -> list[str]:
    """What tells the compiler that it has read `text` before; nothing where that cannot be. `flags` are those that
    all sources share, the compiler's own among them: given others, GNU C reads the headers again by itself, clang
    gives up. `identity` says on what else the headers depend: CPU, version of a library."""
    tool, language = (compiler.cxx, "c++-header") if cplusplus else (compiler.command, "c-header")
    key = Cache.key("precompiled", tool, compiler.version, identity, flags, text)

    def write(out: Path) -> str:
        out.write_text(text, encoding="utf-8")
        return ""

    header = cache.make(key, ".h", write)
    if isinstance(header, ToolFailure):
        return []
    clang = "__clang__" in predefined(compiler.command)
    more = ["-Xclang", "-fno-pch-timestamp"] if clang else []
    command = [tool, *flags, *more, "-x", language, str(header), "-o"]
    # GNU C finds x.h.gch when it is told x.h; clang is told which file it is.
    made = cache.make(key, ".pch" if clang else ".h.gch", lambda out: sandbox.run_tool([*command, str(out)]).problem)
    if isinstance(made, ToolFailure):
        return []
    return ["-include-pch", str(made)] if clang else ["-include", str(header)]
