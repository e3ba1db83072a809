# SPDX-License-Identifier: MIT OR Apache-2.0
"""Precompiled headers are read once per compiler and change nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.compile import Cache, working
from cyclometer.compile.precompiled import precompile
from cyclometer.execute import sandbox
from cyclometer.records.catalogue import Compiler
from support.our_catalogue import our_catalogue

TEXT = "#include <stdint.h>\n"
SOURCE = "uint32_t seven(void) { return 7; }\n"  # compiles only if <stdint.h> has been read

COMPILERS, _ = working(c for c in our_catalogue().compilers if c.name.endswith("-O2"))


@pytest.fixture(params=COMPILERS, ids=lambda compiler: compiler.name)
def compiler(request: pytest.FixtureRequest) -> Compiler:
    return request.param  # type: ignore[no-any-return]


@pytest.mark.parametrize("suffix", [".c", ".cc"])
def test_a_source_that_follows_needs_no_include(compiler: Compiler, suffix: str, tmp_path: Path) -> None:
    source, out = tmp_path / f"seven{suffix}", tmp_path / "seven.o"
    source.write_text(SOURCE)
    cplusplus = suffix == ".cc"
    before = precompile(compiler, TEXT, compiler.flags, Cache(tmp_path / "cache"), ("this CPU",), cplusplus)
    command = [compiler.cxx if cplusplus else compiler.command, *compiler.flags, "-c", str(source), "-o", str(out)]
    assert sandbox.run_tool(command).problem, "without it there is no uint32_t"
    assert sandbox.run_tool([*command, *before]).problem == ""


def test_a_header_is_read_once(compiler: Compiler, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    first = precompile(compiler, TEXT, compiler.flags, cache, ("this CPU",))
    made = cache.built
    assert precompile(compiler, TEXT, compiler.flags, cache, ("this CPU",)) == first != []
    assert cache.built == made
    assert precompile(compiler, TEXT, compiler.flags, cache, ("this CPU", "a later version")) != first


def test_a_header_that_cannot_be_precompiled_is_left_to_the_source(compiler: Compiler, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert precompile(compiler, "#include <no/such/header.h>\n", compiler.flags, cache, ()) == []
    absent = replace(compiler, command="no-such-compiler")
    assert precompile(absent, TEXT, compiler.flags, cache, ()) == []
