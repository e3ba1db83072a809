# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compile steps: one loop per type of key, one object of an implementation for all compositions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cyclometer import paths
from cyclometer.compile import Cache, working
from cyclometer.compile.packages import Package
from cyclometer.compile.sources import Includes
from cyclometer.compile.steps import BuildSteps
from cyclometer.errors import StorageFailed
from support.our_catalogue import our_catalogue
from support.requirements import need

COMPILERS, _ = working(c for c in our_catalogue().compilers if c.name == "gcc-O2")

LOOP = """
#include <stdint.h>
#include "key.h"
uint8_t key_space[sizeof(key) * KEYS];
"""


@pytest.fixture
def steps(tmp_path: Path) -> BuildSteps:
    need("gcc")
    return BuildSteps(paths.root() / "harness", Cache(tmp_path / "cache"), "clock_gettime", "this CPU", Includes())


def loop(steps: BuildSteps, folder: Path, key: str, *macros: tuple[str, str], flags: tuple[str, ...] = ()) -> Path:
    """Compile a loop over keys of an implementation in that folder; `flags` are those of its library."""
    source = folder.parent / "loop.c"
    folder.mkdir()
    (folder / "key.h").write_text(key)
    source.write_text(LOOP)
    include = (folder, *paths.runtime_folders(paths.root() / "harness"))
    return steps.object(source, COMPILERS[0], ("-O0", *flags), include, macros, harness=True)


def test_implementations_with_the_same_key_type_share_a_loop(steps: BuildSteps, tmp_path: Path) -> None:
    one = loop(steps, tmp_path / "one", "typedef int key;\n", ("KEYS", "2"), ("OF_ONE_ALONE", "1"))
    two = loop(steps, tmp_path / "two", "typedef int key;\n", ("KEYS", "2"), flags=("-I/usr/include/library",))
    assert one == two


def test_another_key_type_another_macro_or_a_library_header_needs_another_loop(
    steps: BuildSteps, tmp_path: Path
) -> None:
    plain = "typedef int key;\n"
    library = "#include <math.h>\n" + plain
    objects = [
        loop(steps, tmp_path / "int", plain, ("KEYS", "2")),
        loop(steps, tmp_path / "long", "typedef long key;\n", ("KEYS", "2")),
        loop(steps, tmp_path / "more", plain, ("KEYS", "3")),
        loop(steps, tmp_path / "library", library, ("KEYS", "2")),
        loop(steps, tmp_path / "found", library, ("KEYS", "2"), flags=("-I/usr/include/library",)),
    ]
    assert len(set(objects)) == len(objects)


def test_an_implementation_is_compiled_once_for_all_compositions_that_look_the_same_to_it(
    steps: BuildSteps, tmp_path: Path
) -> None:
    (tmp_path / "cipher.c").write_text('#define ROUNDS "rounds.h"\n#include ROUNDS\nint key[KEYBYTES];\n')
    (tmp_path / "rounds.h").write_text("int rounds[COUNT];\n")

    def made(*macros: tuple[str, str]) -> Path:
        return steps.object(tmp_path / "cipher.c", COMPILERS[0], ("-O0",), (tmp_path,), macros)

    own = (("KEYBYTES", "16"), ("COUNT", "10"))
    assert made(*own, ("crypto_aead_TAGBYTES", "16")) == made(*own, ("crypto_cipher_IVBYTES", "12"))
    assert made(("KEYBYTES", "16"), ("COUNT", "12")) != made(*own)
    assert made(("KEYBYTES", "32"), ("COUNT", "10")) != made(*own)


def test_a_cache_that_is_removed_while_it_is_used_is_named_and_serves_the_next_command(
    steps: BuildSteps, tmp_path: Path
) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void)\n{\n    return 0;\n}\n")
    built = steps.object(source, COMPILERS[0], (), (), ())
    shutil.rmtree(steps.cache.folder)
    with pytest.raises(StorageFailed, match="was removed while it was in use; repeat"):
        steps.link(COMPILERS[0], [built], Package(), None)
    with pytest.raises(StorageFailed, match="was removed while it was in use; repeat"):
        steps.isolate([built])
    assert steps.object(source, COMPILERS[0], (), (), ()) == built
    assert steps.link(COMPILERS[0], [built], Package(), None).is_file()
