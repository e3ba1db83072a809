# SPDX-License-Identifier: MIT OR Apache-2.0
"""A source file is compiled again if anything it consists of has changed."""

from __future__ import annotations

from pathlib import Path

from cyclometer.compile.sources import closure, names, used_macros


def write(folder: Path, **files: str) -> Path:
    """Write a file for each argument, NAME.h, or main.c for `main`, and return the path of main.c."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.{'c' if name == 'main' else 'h'}").write_text(text)
    return folder / "main.c"


def test_a_change_of_a_file_that_is_included_by_an_included_file_is_seen(tmp_path: Path) -> None:
    main = write(tmp_path, main='#include "one.h"\n', one='  #  include "two.h"\n', two="int two;\n")
    before = closure(main, [])
    assert len(before) == 3
    write(tmp_path, two="int deux;\n")
    assert closure(main, []) != before


def test_a_file_that_is_not_included_does_not_matter(tmp_path: Path) -> None:
    main = write(tmp_path, main='#include <stdint.h>\n#include "absent.h"\n', other="int other;\n")
    before = closure(main, [tmp_path])
    write(tmp_path, other="int another;\n")
    assert closure(main, [tmp_path]) == before
    assert len(before) == 2, "main.c and <stdint.h>"


def test_a_string_that_cannot_be_a_file_name_does_not_matter(tmp_path: Path) -> None:
    main = write(tmp_path, main=f'#define MODULUS "{"7" * 1000}"\n#define FILE "a.h"\n', a="int a;\n")
    assert len(closure(main, [tmp_path])) == 2


def test_the_folder_of_the_file_comes_first_then_the_folders_in_their_order(tmp_path: Path) -> None:
    main = write(tmp_path / "own", main='#include "a.h"\n#include "b.h"\n', a="own")
    write(tmp_path / "first", a="hidden by own", b="first")
    write(tmp_path / "second", b="hidden by first")
    found = [entry.split()[1] for entry in closure(main, [tmp_path / "first", tmp_path / "second"])]
    assert sorted(found) == ["first/b.h", "own/a.h", "own/main.c"]


def test_includes_in_a_circle_end(tmp_path: Path) -> None:
    main = write(tmp_path, main='#include "a.h"\n', a='#include "b.h"\n', b='#include "a.h"\n')
    assert len(closure(main, [])) == 3


def test_files_reached_by_macros_are_named_by_the_caller(tmp_path: Path) -> None:
    main = write(tmp_path, main="#include COUNTER\n", counter='#include "inner.h"\n', inner="")
    assert len(closure(main, [], [tmp_path / "counter.h"])) == 3


def test_assembly_includes_too(tmp_path: Path) -> None:
    main = write(tmp_path, main='.include "macros.h"\n', macros=".macro nothing\n.endm\n")
    assert len(closure(main, [])) == 2


def test_two_files_of_one_name_in_two_folders_of_one_name_both_count(tmp_path: Path) -> None:
    main = write(tmp_path, main='#include "x/_aes/sbox.h"\n#include "y/_aes/sbox.h"\n')
    write(tmp_path / "x/_aes", sbox="1")
    write(tmp_path / "y/_aes", sbox="2")
    before = closure(main, [])
    assert len(before) == 3
    for folder in ("x", "y"):
        write(tmp_path / folder / "_aes", sbox="3 3")
        assert closure(main, []) != before
        before = closure(main, [])


def test_the_same_tree_elsewhere_is_the_same(tmp_path: Path) -> None:
    """A cache serves a checkout wherever that is."""
    files = {"main": '#include "one.h"\n', "one": "int one;\n"}
    here, there = write(tmp_path / "here/src", **files), write(tmp_path / "there/src", **files)
    assert closure(here, []) == closure(there, [])


def test_headers_of_the_system_are_named(tmp_path: Path) -> None:
    main = write(tmp_path, main='#include "a.h"\n', a="# include <immintrin.h>\n")
    assert "<immintrin.h>" in closure(main, [])


def test_macros_that_no_source_names_do_not_matter(tmp_path: Path) -> None:
    main = write(tmp_path, main='#include "a.h"\nint key[KEYBYTES];\n', a="int wide = WIDTH(2);\n")
    macros = ["KEYBYTES=32", "TAGBYTES=16", "WIDTH(n)=(n * LANES)", "LANES=8", "KEY=1"]
    assert used_macros(macros, names(main, [])) == ["KEYBYTES=32", "WIDTH(n)=(n * LANES)", "LANES=8"]
