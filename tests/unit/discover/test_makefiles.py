# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a makefile gives its compiler, read as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.discover.foreign import ForeignTree
from cyclometer.discover.foreign._makefile import Flags, flags


def read(root: Path, text: str, name: str = "Makefile") -> Flags:
    """Return the flags of implementation/ in a tree that has common/, and a link to a folder outside."""
    outside = root / "outside"
    tree = root.resolve() / "tree"
    for folder in (tree / "common", tree / "implementation" / "sub", outside):
        folder.mkdir(parents=True, exist_ok=True)
    link = tree / "link"
    if not link.is_symlink():
        link.symlink_to(outside)
    (tree / "implementation" / name).write_text(text, encoding="utf-8")
    return flags(tree / "implementation", ForeignTree(kind="nist", root=tree, part=tree, label=""))


COMPILE = "\nx.o: x.c\n\t$(CC) $(CFLAGS) -c $<\n"
MACROS = {
    "CFLAGS += -O3 -DA -DB=2 -Wall -D C=three": ("A", "B=2", "C=three"),
    "N = 5\nCFLAGS = -DA=$(N) -DB=${N}x$(N)": ("A=5", "B=5x5"),
    "CFLAGS = -Wall \\\n  -DA=1 \\\n\t-DB=2": ("A=1", "B=2"),
    "CFLAGS = $(ALL)\nALL = -DA=1\nALL += -DB=2": ("A=1", "B=2"),
    "CFLAGS = -DA\nCFLAGS := $(CFLAGS) -DB": ("A", "B"),
    "N ?= 3\nN ?= 4\nCFLAGS = -DA=$(N)": ("A=3",),
    'CFLAGS = -DA=\\"toy\\" \'-DB="a b"\' -DC="x"': ('A="toy"', 'B="a b"', "C=x"),
    "CFLAGS = -DA=1 # -DB=2": ("A=1",),
    # left out: not plain, or not known
    "CFLAGS = -DA=1 '-DB=f(x)' '-DC(x)=x' '-DD=`id`' '-DE=a;b' -D1=2 -DF=\\\\": ("A=1",),
    "CFLAGS = -DA=$(NOWHERE) -DB=$(shell id) -DC=$(A:1=2) -DD=$$HOME -DE=1": ("E=1",),
    "N != id\nCFLAGS = -DA=$(N) $(if $(N), -DB -DC) -DD": ("D",),
    "CFLAGS = -DA=$(L) -DB\nL = $(M)\nM = $(L)": ("B",),
    "ifdef X\nCFLAGS = -DA=1\nelse\nCFLAGS = -DA=2\nendif\nCFLAGS += -DB": ("B",),
    "CFLAGS = -DA=1 -DB\nifdef X\n\tCFLAGS += -DA=2\nendif": ("B",),
    "N = 1\nifndef X\nN = 2\nendif\nCFLAGS = -DA=$(N) -DB": ("B",),
    "CFLAGS = -DA -DB\ndebug: CFLAGS += -DB=2 -DC": ("A",),
    "define X\nCFLAGS = -DA\nendef\nCFLAGS += -DB": ("B",),
    "CFLAGS = -DA=" + "1" * 1000: (),
    "CFLAGS = -DA\n#" + "x" * (1 << 16): (),
}


@pytest.mark.parametrize("text", MACROS)
def test_macros(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, text + COMPILE).macros == MACROS[text]


COMMANDS = {
    # all agree
    "a: a.c\n\tgcc -DA=1 -DB a.c\nb: b.c\n\t@/usr/bin/clang-17 -DB -DA=1 -o b $^": ("A=1", "B"),
    # another value, or none, for another program
    "a: a.c\n\tgcc -DA=1 -DB a.c\nb: b.c\n\tgcc -DA=2 -DB b.c": ("B",),
    "a: a.c\n\tgcc -DA -DB a.c\nb: b.c\n\tgcc -DB b.c\nc:\n\tcd c && gcc -DB -DC c.c": ("B",),
    # one that links compiles nothing; nor do other programs
    "a: a.o\n\tgcc -o $@ $^\n\tsed -DC a.c\na.o: a.c\n\tgcc -DA -c $<": ("A",),
    # make's own command
    "CFLAGS = -DA\nCPPFLAGS = -DB\nOTHER = -DC\na: a.o\n\t$(CC) -o $@ $^": ("A", "B"),
    # under a condition
    "a.o: a.c\n\tgcc -DA -DB -c a.c\nifdef X\nb.o: b.c\n\tgcc -DB=2 -c b.c\nendif": ("A",),
    'a.o: a.c\n\tgcc -DA -c a.c\nb.o: b.c\n\tgcc -DA -DX=" -c b.c': (),
}


@pytest.mark.parametrize("text", COMMANDS)
def test_macros_of_several_commands(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, text).macros == COMMANDS[text]


def test_folders_are_those_of_the_tree(tmp_path: Path) -> None:
    text = "D = ../common\nCFLAGS = -I. -I$(D) -I sub -I/usr/include -I../.. -I../link -I../nowhere -I$(NO)/sub"
    tree = tmp_path.resolve() / "tree"
    assert read(tmp_path, text + COMPILE).folders == (tree / "common", tree / "implementation" / "sub")


def test_the_file_is_the_one_that_make_takes(tmp_path: Path) -> None:
    read(tmp_path, "CFLAGS = -DA")
    assert read(tmp_path, "CFLAGS = -DB", "GNUmakefile").macros == ("B",)


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"A{i} = $(A{i + 1})$(A{i + 1})\n" for i in range(900)) + "A900 = x\nCFLAGS = $(A0)",
        "E =\nP = " + "$(E)" * 7000 + "\nx: $(P)\n\tcc -c " + "$^" * 9000,
        "B = " + "y" * 30_000 + "\nx: x.c\n" + "\tcc $< $(B)\n" * 2000,
        "CFLAGS = " + "$(" * 15_000 + "a" + ")" * 15_000,
    ],
)
def test_a_makefile_whose_values_explode_gives_nothing(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, f"{text}\nCFLAGS += -DA\n") == Flags()
