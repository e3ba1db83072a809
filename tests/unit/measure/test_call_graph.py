# SPDX-License-Identifier: MIT OR Apache-2.0
"""The code that a function can reach, of programs whose calls are known."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

import pytest

from cyclometer.measure.call_graph import PADDING, reachable_bytes, read_image
from support.requirements import is_missing, need

LIBRARY = """
static __attribute__((noinline)) int hidden(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
int shared_start(int x) { return hidden(x) + 1; }
int shared_other(int x) { return x / 7; }
"""

PROGRAM = """
int shared_start(int x);
static __attribute__((noinline)) int leaf(int x) { __asm__ volatile("" : "+r"(x)); return x ^ 5; }
static __attribute__((noinline)) int pointed(int x) { __asm__ volatile("" : "+r"(x)); return x + 9; }
__attribute__((noinline)) int api(int x)
{
    int (*volatile pointer)(int) = pointed;
    return leaf(x) + pointer(x);
}
__attribute__((noinline)) int through_library(int x) { return shared_start(x) + 2; }
__attribute__((noinline)) int never(int x) { __asm__ volatile("" : "+r"(x)); return x - 1; }
int main(int count, char **arguments) { (void)arguments; return api(count) + through_library(count) + never(count); }
"""


@pytest.fixture(scope="module", params=["-O1", "-O2 -fno-plt"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Build the program, with the library that it calls."""
    if platform.machine() != "x86_64":
        is_missing("this machine is no x86-64")
    need("gcc")
    folder = tmp_path_factory.mktemp("calls")
    (folder / "library.c").write_text(LIBRARY)
    (folder / "program.c").write_text(PROGRAM)
    options = [*str(request.param).split(), "-fno-ipa-icf"]
    program, library = folder / "program", folder / "libshared.so"
    subprocess.run(["gcc", *options, "-shared", "-fPIC", "-o", library, folder / "library.c"], check=True)
    subprocess.run(["gcc", *options, "-o", program, folder / "program.c", library], check=True)
    subprocess.run(["strip", library], check=True)
    return program, library


def padded(*sizes: int) -> int:
    """Return the sum of sizes, each rounded up."""
    return sum(-(-size // PADDING) * PADDING for size in sizes)


def sizes_in(program: Path) -> dict[str, int]:
    """Return the size of each function, as nm prints it."""
    lines = subprocess.run(["nm", "-S", program], check=True, capture_output=True, text=True).stdout.splitlines()
    return {words[3]: int(words[1], 16) for line in lines if len(words := line.split()) == 4}


def test_calls_and_addresses_are_followed_and_nothing_else(built: tuple[Path, Path]) -> None:
    image, sizes = read_image(built[0]), sizes_in(built[0])
    assert image
    found = reachable_bytes([image], [(0, image.names["api"])])
    assert found == padded(sizes["api"], sizes["leaf"], sizes["pointed"])


def test_functions_of_a_stripped_library_are_reached_through_its_name(built: tuple[Path, Path]) -> None:
    program, library = map(read_image, built)
    assert program
    assert library
    assert "hidden" not in library.names
    alone = reachable_bytes([program], [(0, program.names["through_library"])])
    together = reachable_bytes([program, library], [(0, program.names["through_library"])])
    start = library.names["shared_start"]
    hidden = next(address for address in library.starts if address < start and library.ends[address] <= start)
    assert together - alone >= padded(library.ends[start] - start)
    assert reachable_bytes([library], [(0, start)]) == together - alone
    assert library.function_at(hidden) == hidden


def test_what_is_no_elf_file_has_no_functions(tmp_path: Path) -> None:
    for content in (b"", b"\x7fELF\x02\x01", b"\x7fELF\x02\x01" + bytes(200), b"#!/bin/sh\n"):
        path = tmp_path / str(len(content))
        path.write_bytes(content)
        assert read_image(path) is None
