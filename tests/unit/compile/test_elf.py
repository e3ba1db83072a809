# SPDX-License-Identifier: MIT OR Apache-2.0
"""The bytes of code in an object, which size(1) counts as well."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cyclometer.compile.elf import code_bytes
from support.requirements import need

SOURCE = """
const int constant[1000] = {1};
int variable[100] = {2}, zero[5000];
static int (*const function)(const char *, ...) = 0;
int call(int i) { return constant[i] + variable[i] + zero[i] + (function ? function("a text") : 0); }
__attribute__((section(".text.elsewhere"))) int elsewhere(int i) { return i * call(i); }
"""


@pytest.mark.parametrize("options", [["-O0", "-g"], ["-O3"]], ids=" ".join)
def test_code_and_constants_count_variables_do_not(options: list[str], tmp_path: Path) -> None:
    need("gcc")
    need("size")
    source, made = tmp_path / "code.c", tmp_path / "code.o"
    source.write_text(SOURCE, encoding="utf-8")
    subprocess.run(["gcc", *options, "-c", source, "-o", made], check=True)
    listed = subprocess.run(["size", made], check=True, capture_output=True, text=True).stdout
    assert code_bytes(made) == int(listed.splitlines()[1].split()[0]) > 4000
    torn = tmp_path / "torn.o"
    torn.write_bytes(made.read_bytes()[:-100])
    assert code_bytes(torn) == code_bytes(source) == 0
