# SPDX-License-Identifier: MIT OR Apache-2.0
"""The bytes of code in an object, which size(1) counts as well, and code that is writable, as readelf(1) tells."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cyclometer.compile.object_code import code_bytes, global_symbols, maps_writable_code, writable_code
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


def built(folder: Path, name: str, text: str, *options: str) -> Path:
    source = folder / "code.c"
    source.write_text(text, encoding="utf-8")
    subprocess.run(["gcc", *options, "-o", folder / name, source], check=True)
    return folder / name


@pytest.mark.parametrize(
    ("section", "flags", "found"),
    [
        (".text.own", "awx", ".text.own"),
        (".rodata.own", "awx", ".rodata.own"),
        (".data.own", "aw", ""),
        (".x", "wx", ""),
    ],
)
def test_a_section_that_is_loaded_writable_and_executable_is_named(
    section: str, flags: str, found: str, tmp_path: Path
) -> None:
    need("gcc")
    text = f'__asm__(".section {section},\\"{flags}\\",@progbits\\n.byte 1\\n.text");\n'
    assert writable_code(built(tmp_path, "code.o", text, "-c")) == found


def test_an_object_may_have_more_sections_than_its_header_can_count(tmp_path: Path) -> None:
    need("gcc")
    many = '.altmacro\\n.macro one n\\n.section .s\\\\n,\\"a\\"\\n.byte 1\\n.endm\\n.set i, 0\\n'
    many += ".rept 66000\\n one %i\\n.set i, i + 1\\n.endr\\n"
    text = f'__asm__("{many}.section .last,\\"awx\\"\\n.byte 1\\n.text");\nint memcmp(void) {{ return 0; }}\n'
    made = built(tmp_path, "many.o", text, "-c", "-ffreestanding")
    assert writable_code(made) == ".last"
    assert global_symbols([made]).defined == {"memcmp"}


@pytest.mark.parametrize(
    ("options", "mapped"),
    [
        ((), False),
        (("-Wl,-z,execstack",), True),
        (("-Wl,-N,-e,main", "-static", "-nostdlib"), True),
        (("-Wl,-z,noexecstack",), False),
    ],
)
def test_what_a_program_maps_writable_and_executable(options: tuple[str, ...], mapped: bool, tmp_path: Path) -> None:
    need("gcc")
    text = "int variable = 1;\nint main(void) { return variable; }\n"
    assert maps_writable_code(built(tmp_path, "program", text, *options)) == mapped
