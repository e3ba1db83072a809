# SPDX-License-Identifier: MIT OR Apache-2.0
"""C source as tokens: only what the compiler does not see is left out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cyclometer.compile.tokens import tokens
from support.requirements import need
from support.small_tree import REPOSITORY


def of(folder: Path, text: str) -> list[str]:
    """Return the tokens of a file with that text."""
    (folder / "main.c").write_text(text)
    return tokens(folder / "main.c", [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a+ +b", ["a", "+", "+", "b"]),
        ("a++b", ["a", "++", "b"]),
        ("a/**/b // c\n/* d\n * e */ f", ["a", "b", "f"]),
        ('"/* a */" /* "b */ \'"\' // c "', ['"/* a */"', "'\"'"]),
        (r'"a\"b // c" d', [r'"a\"b // c"', "d"]),
        ("'\\\\' // a", ["'\\\\'"]),
        ("ab\\\ncd // e \\\n f\ng", ["abcd", "g"]),
        ('u8"a" u8 "a"', ['u8"a"', "u8", '"a"']),
        ("1.5e+3-0x1e .5f, ...", ["1.5e+3", "-", "0x1e", ".5f", ",", "..."]),
        ("a<<=b->c>=d", ["a", "<<=", "b", "->", "c", ">=", "d"]),
    ],
)
def test_comments_and_spaces_are_left_out(text: str, expected: list[str], tmp_path: Path) -> None:
    assert of(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("#define A 1\nint b;", "#define A 1 int b;\n", False),
        ("#define A 1\nint b;", "  #  define A /* \n */ 1\n\n\tint\nb;\n", True),
        ("#define A 1\\\n + 2\n", "#define A 1 + 2\n", True),
        ("#define A 1\n + 2\n", "#define A 1 + 2\n", False),
        ("#define F(x) x\n", "#define F (x) x\n", False),
        ("#define F(x) x\n", "#define F( x )  x\n", True),
        ("int a;\n#undef A\nint b;", "int a; int b;\n#undef A\n", False),
    ],
)
def test_a_directive_ends_with_its_line(one: str, other: str, same: bool, tmp_path: Path) -> None:
    assert (of(tmp_path, one) == of(tmp_path, other)) == same


def test_an_included_file_takes_the_place_of_its_name_once(tmp_path: Path) -> None:
    (tmp_path / "z.h").write_text('#ifndef Z_H\n#define Z_H\n#include "a.h"\nint z;\n#endif /* Z_H */\n')
    (tmp_path / "a.h").write_text('#include "z.h"\nint a;\n')
    expected = ["int", "a", ";", "int", "z", ";", "int", "main", ";"]
    assert of(tmp_path, '#include "z.h"\n#include "a.h"\nint main;\n') == expected


def test_an_apparent_include_guard_is_kept(tmp_path: Path) -> None:
    text = "#ifndef A\n#define A 1\n#endif\n#ifndef B\n#define B 2\n#endif\n"
    assert of(tmp_path, text).count("ifndef") == 2


def test_an_include_of_a_system_header_is_kept(tmp_path: Path) -> None:
    assert of(tmp_path, '#include <stdint.h>\n#include "absent.h"\n#include NAMED\n') == [
        *("\n", "#", "include", "<", "stdint", ".", "h", ">", "\n"),
        *("\n", "#", "include", '"absent.h"', "\n"),
        *("\n", "#", "include", "NAMED", "\n"),
    ]


@pytest.mark.parametrize("path", sorted((REPOSITORY / "harness").glob("*/*.[ch]")), ids=lambda path: path.name)
def test_the_compiler_finds_the_same_comments(path: Path, tmp_path: Path) -> None:
    """The text has the same tokens after the compiler has removed the comments."""
    need("gcc")
    command = ["gcc", "-fpreprocessed", "-dD", "-E", "-P", str(path)]
    stripped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert stripped.count("/*") == 0
    assert of(tmp_path, stripped) == of(tmp_path, path.read_text())
