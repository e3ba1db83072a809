# SPDX-License-Identifier: MIT OR Apache-2.0
"""Precompiled headers: the CPU's intrinsics and a provider's `precompiled.h`, which take long to parse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cyclometer.compile.build_tool import run_build_tool, take
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.toolchain import predefined
from cyclometer.execute.bubblewrap import tool_folders
from cyclometer.records.catalogue import Compiler

INTRINSICS = "<immintrin.h>"


def precompile(
    compiler: Compiler,
    text: str,
    flags: Sequence[str],
    cache: Cache,
    identity: Sequence[str],
    cplusplus: bool = False,
    folders: Sequence[Path] = (),
) -> list[str]:
    """Precompile `text` and return the options that make the compiler use it; none if it cannot be precompiled.

    Sources must be compiled with the same `flags`: with others, GNU C parses the headers again and clang fails.
    `identity` is what else the headers depend on, such as the CPU or a library's version; they are in `folders`.
    """
    tool, language = (compiler.cxx, "c++-header") if cplusplus else (compiler.command, "c-header")
    key = Cache.key("precompiled", tool, compiler.version, identity, flags, text)

    def write(out: Path) -> str:
        out.write_text(text, encoding="utf-8")
        return ""

    header = cache.make(key, ".h", write)
    if isinstance(header, ToolFailure):
        return []
    clang = "__clang__" in predefined(compiler.command, compiler.target)
    more = ["-Xclang", "-fno-pch-timestamp"] if clang else []
    command = [tool, *flags, *more, "-x", language, str(header), "-o"]
    # GNU C includes x.h and finds x.h.gch beside it; clang needs the name of the precompiled file.

    def run(out: Path) -> str:
        with cache.scratch() as scratch:
            made = scratch / "made"
            readable = [header, *folders, *tool_folders([tool])]
            outcome = run_build_tool([*command, str(made)], readable=readable, writable=scratch)
            return outcome.problem or take(made, out)

    result = cache.make(key, ".pch" if clang else ".h.gch", run)
    if isinstance(result, ToolFailure):
        return []
    return ["-include-pch", str(result)] if clang else ["-include", str(header)]
