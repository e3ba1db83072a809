# SPDX-License-Identifier: MIT OR Apache-2.0
"""The harness knows an implementation's types by size and alignment, whatever else its header says."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer import paths
from cyclometer.compile import Cache, working
from cyclometer.compile.build_tool import BuildError
from cyclometer.compile.opaque import Interface, OpaqueTypes
from cyclometer.compile.packages import Package
from cyclometer.compile.sources import Includes
from cyclometer.compile.steps import BuildSteps
from cyclometer.discover import discover
from support.requirements import need

CATALOGUE = discover(paths.root())
COMPILERS, _ = working(c for c in CATALOGUE.compilers if c.name == "gcc-O2")
AEAD, HASH, KEM = (CATALOGUE.operations[f"crypto_{name}"] for name in ("aead", "hash", "kem"))


@pytest.fixture
def types(tmp_path: Path) -> OpaqueTypes:
    need("gcc")
    cache = Cache(tmp_path / "cache")
    return OpaqueTypes(BuildSteps(paths.root() / "harness", cache, "clock_gettime", "this CPU", Includes()))


def interface(folder: Path, header: str, text: str, *macros: tuple[str, str]) -> Interface:
    """Return the interface of an implementation with this header in a folder of its own."""
    folder.mkdir(parents=True)
    (folder / header).write_text(text)
    return Interface((folder,), macros, Package(cflags=("-DLIBRARY",), identity="1.0"))


def test_types_of_the_same_size_and_alignment_are_the_same(types: OpaqueTypes, tmp_path: Path) -> None:
    ints = interface(
        tmp_path / "ints", "crypto_aead_types.h", "typedef struct { int w[N]; } crypto_aead_key;", ("N", "6")
    )
    bytes_ = interface(
        tmp_path / "bytes",
        "crypto_aead_types.h",
        "#include <stdalign.h>\ntypedef struct { alignas(4) char b[24]; } crypto_aead_key;\n#define memcmp(a, b, n) 0",
    )
    seen = [types.of(AEAD, COMPILERS[0], each) for each in (ints, bytes_)]
    assert {each.folders for each in seen} == {(AEAD.folder / "opaque", AEAD.folder)}
    assert seen[0].macros == (("N", "6"), ("crypto_aead_key_ALIGNMENT", "4"), ("crypto_aead_key_BYTES", "24"))
    assert seen[1].macros == seen[0].macros[1:]
    assert {each.packages for each in seen} == {Package()}


def test_numbers_that_the_header_defines_are_kept(types: OpaqueTypes, tmp_path: Path) -> None:
    own = interface(tmp_path / "own", "crypto_kem_types.h", "#define crypto_kem_OWN_RANDOM (3 - 2)\n")
    assert types.of(KEM, COMPILERS[0], own).macros == (("crypto_kem_OWN_RANDOM", "1"),)


def test_a_type_that_only_some_implementations_have_is_asked_for_where_it_is_defined(
    types: OpaqueTypes, tmp_path: Path
) -> None:
    state = "#define crypto_hash_INCREMENTAL 1\ntypedef struct { long long count; } crypto_hash_state;\n"
    with_state = interface(tmp_path / "state", "crypto_hash_types.h", state)
    without = interface(tmp_path / "none", "crypto_hash_types.h", "/* no crypto_hash_state */\n")
    assert dict(types.of(HASH, COMPILERS[0], with_state).macros)["crypto_hash_state_BYTES"] == "8"
    assert types.of(HASH, COMPILERS[0], without).macros == ()


def test_an_implementation_without_a_header_hides_none_of_the_harness(types: OpaqueTypes, tmp_path: Path) -> None:
    own = interface(tmp_path / "own", "check.h", "#error not this one\n")
    assert types.of(HASH, COMPILERS[0], own).folders == (HASH.folder,)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("typedef struct { int w; } crypto_aead_key\n", "does not compile"),
        ("typedef struct { int w; } other_key;\n", "does not compile"),
        ("typedef struct { char b[1ull << 33]; } crypto_aead_key;\n", "not from 0 to 1073741824"),
        ("typedef struct { int w; } crypto_aead_key;\n#define crypto_aead_BLOCKBYTES -16\n", "not from 0 to"),
    ],
    ids=["torn", "another type", "too large", "a negative number"],
)
def test_a_header_that_cannot_be_used_is_named(text: str, reason: str, types: OpaqueTypes, tmp_path: Path) -> None:
    own = interface(tmp_path / "own", "crypto_aead_types.h", text)
    with pytest.raises(BuildError, match=rf"crypto_aead_types\.h .*{reason}"):
        types.of(AEAD, COMPILERS[0], own)
