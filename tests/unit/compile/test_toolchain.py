# SPDX-License-Identifier: MIT OR Apache-2.0
"""A compiler is used only after it has compiled a small program with the right output."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.compile import working
from cyclometer.compile.cache import Cache
from cyclometer.records.catalogue import Compiler
from support.fakes import COMPILER
from support.requirements import need

GCC = replace(COMPILER, name="gcc", command="gcc", debian="gcc")


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def reason(compiler: Compiler) -> str:
    """Return the reason why a compiler is not used."""
    found, failures = working([compiler])
    assert found == []
    assert failures[0].subject.compiler == compiler.name
    return failures[0].reason


def test_a_compiler_that_works_gets_its_version() -> None:
    need("gcc")
    [compiler], failures = working([GCC])
    assert failures == []
    assert "gcc" in compiler.version.lower()


def test_a_missing_compiler_is_reported_with_its_package() -> None:
    absent = replace(GCC, command="no-such-compiler", debian="no-such-package")
    assert reason(absent) == "no-such-compiler is not installed (Debian: apt install no-such-package)"


def test_a_compiler_without_its_emulator_is_missing_too() -> None:
    assert reason(replace(GCC, emulator=("no-such-emulator",))).startswith("no-such-emulator is not installed")


def test_the_last_words_of_a_failing_compiler_are_kept(tmp_path: Path) -> None:
    broken = replace(GCC, command=script(tmp_path / "cc", "echo oh dear >&2; exit 7"))
    _, [failure] = working([broken])
    assert failure.reason == "cannot compile a sanity program: exit status 7"
    assert failure.detail == "oh dear"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("echo 1", "miscompiles a sanity program: wrong output"),
        ("exit 9", "miscompiles a sanity program: exit status 9"),
        ("kill -ILL $$", "miscompiles a sanity program: makes a forbidden system call (SIGSYS)"),
    ],
)
def test_a_compiler_of_wrong_programs_miscompiles(program: str, message: str, tmp_path: Path) -> None:
    made = script(tmp_path / "made", program)
    compiler = 'while [ $# -gt 0 ]; do [ "$1" = -o ] && cp ' + made + ' "$2"; shift; done; exit 0'
    assert reason(replace(GCC, command=script(tmp_path / "cc", compiler))) == message


def test_an_unknown_option_leaves_out_one_variant() -> None:
    found, failures = working([GCC, replace(GCC, name="odd", flags=("-fno-such-option",))])
    assert [compiler.name for compiler in found] == ["gcc"]
    assert "no-such-option" in failures[0].detail


def test_a_success_is_cached_and_a_failure_is_tried_again(tmp_path: Path) -> None:
    need("gcc")
    broken = tmp_path / "broken"
    command = script(tmp_path / "cc", f'[ "$1" != --version ] && [ -e {broken} ] && exit 1; exec gcc "$@"')
    compiler, memory = replace(GCC, command=command), Cache(tmp_path / "cache")

    def works(cpu: str) -> bool:
        return bool(working([compiler], memory, cpu)[0])

    broken.touch()
    assert not works("a CPU")
    broken.unlink()
    assert works("a CPU")
    broken.touch()
    assert works("a CPU")
    assert not works("another CPU")
