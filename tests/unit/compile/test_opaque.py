# SPDX-License-Identifier: MIT OR Apache-2.0
"""The harness knows an implementation's types by size and alignment, whatever else its header says."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer import paths
from cyclometer.compile import Cache, working
from cyclometer.compile.build_tool import BuildError
from cyclometer.compile.object_code import global_symbols
from cyclometer.compile.opaque import Interface, OpaqueTypes
from cyclometer.compile.packages import Package
from cyclometer.compile.sources import Includes
from cyclometer.compile.steps import BuildSteps
from cyclometer.discover import discover
from support.requirements import need

CATALOGUE = discover(paths.root())
COMPILERS, _ = working(c for c in CATALOGUE.compilers if c.name == "gcc-O2")
AEAD, HASH, KEM = (CATALOGUE.operations[f"crypto_{name}"] for name in ("aead", "hash", "kem"))

AES_GCM = (
    ("crypto_aead_KEYBYTES", "16"),
    ("crypto_aead_NONCEBYTES", "12"),
    ("crypto_aead_TAGBYTES", "16"),
    ("crypto_aead_ASSOCIATEDDATA", "1"),
)


@pytest.fixture
def steps(tmp_path: Path) -> BuildSteps:
    need("gcc")
    return BuildSteps(paths.root() / "harness", Cache(tmp_path / "cache"), "clock_gettime", "this CPU", Includes())


@pytest.fixture
def types(steps: BuildSteps) -> OpaqueTypes:
    return OpaqueTypes(steps)


def interface(folder: Path, header: str, text: str, *macros: tuple[str, str]) -> Interface:
    """Return the interface of an implementation with this header in a folder of its own."""
    folder.mkdir(parents=True)
    (folder / header).write_text(text)
    return Interface((folder,), macros, Package(cflags=("-DLIBRARY",), identity="1.0"))


def test_implementations_with_keys_of_any_size_share_loops_and_checks(
    types: OpaqueTypes, steps: BuildSteps, tmp_path: Path
) -> None:
    plain = "typedef struct { int w[WORDS]; } crypto_aead_key;"
    aligned = "typedef struct { _Alignas(64) char b[300]; } crypto_aead_key;\n#define memcmp(a, b, n) 0"
    ints = interface(tmp_path / "ints", "crypto_aead_types.h", plain, *AES_GCM, ("WORDS", "6"))
    bytes_ = interface(tmp_path / "bytes", "crypto_aead_types.h", aligned, *AES_GCM)
    seen = [types.of(AEAD, COMPILERS[0], each)[0] for each in (ints, bytes_)]
    assert {each.packages for each in seen} == {Package()}
    for source in ("measure.c", "check.c"):
        objects = {
            steps.object(
                AEAD.folder / source,
                COMPILERS[0],
                ("-O0",),
                (*paths.api_folders(steps.harness), *each.folders),
                each.macros,
                harness=True,
            )
            for each in seen
        }
        assert len(objects) == 1


def test_types_of_one_size_share_the_object_that_defines_it(types: OpaqueTypes, tmp_path: Path) -> None:
    texts = {
        "ints": "typedef struct { int w[6]; } crypto_aead_key;",
        "bytes": "typedef struct { char b[24]; } crypto_aead_key;",
        "longer": "typedef struct { char b[25]; } crypto_aead_key;",
    }
    ints, chars, longer = (
        types.of(AEAD, COMPILERS[0], interface(tmp_path / name, "crypto_aead_types.h", text))[1]
        for name, text in texts.items()
    )
    assert ints == chars
    assert ints != longer
    assert global_symbols(longer).defined == {"crypto_aead_key_size"}


def test_numbers_that_the_header_defines_are_kept(types: OpaqueTypes, tmp_path: Path) -> None:
    own = interface(tmp_path / "own", "crypto_kem_types.h", "#define crypto_kem_OWN_RANDOM (3 - 2)\n")
    seen, sizes = types.of(KEM, COMPILERS[0], own)
    assert seen.macros == (("crypto_kem_OWN_RANDOM", "1"),)
    assert not sizes


def test_a_type_that_only_some_implementations_have_is_asked_for_where_it_is_defined(
    types: OpaqueTypes, tmp_path: Path
) -> None:
    state = "#define crypto_hash_INCREMENTAL 1\ntypedef struct { long long count; } crypto_hash_state;\n"
    with_state = interface(tmp_path / "state", "crypto_hash_types.h", state)
    without = interface(tmp_path / "none", "crypto_hash_types.h", "/* no crypto_hash_state */\n")
    seen, sizes = types.of(HASH, COMPILERS[0], with_state)
    assert seen.macros == (("crypto_hash_INCREMENTAL", "1"),)
    assert global_symbols(sizes).defined == {"crypto_hash_state_size"}
    seen, sizes = types.of(HASH, COMPILERS[0], without)
    assert seen.macros == ()
    assert not sizes


def test_an_implementation_without_a_header_hides_none_of_the_harness(types: OpaqueTypes, tmp_path: Path) -> None:
    own = interface(tmp_path / "own", "check.h", "#error not this one\n")
    assert types.of(HASH, COMPILERS[0], own)[0].folders == (HASH.folder / "opaque", HASH.folder)


def test_primitives_of_any_size_share_loops_and_checks(types: OpaqueTypes, tmp_path: Path) -> None:
    sizes = {name: {"crypto_hash_BYTES": name} for name in ("20", "32")}
    own = {name: Interface((tmp_path,), tuple(macros.items()), Package()) for name, macros in sizes.items()}
    seen, (short, long) = zip(*(types.of(HASH, COMPILERS[0], own[name]) for name in own), strict=True)
    assert seen[0] == seen[1]
    assert "crypto_hash_BYTES" not in dict(seen[0].macros)
    assert short != long
    assert global_symbols(short).defined == {"crypto_hash_BYTES"}


def test_a_size_that_is_no_number_is_named(types: OpaqueTypes, tmp_path: Path) -> None:
    own = Interface((tmp_path,), (("crypto_hash_BYTES", "LONG"),), Package())
    with pytest.raises(BuildError, match="crypto_hash_BYTES is LONG, not a number"):
        types.of(HASH, COMPILERS[0], own)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("typedef struct { int w; } crypto_aead_key\n", "does not compile"),
        ("typedef struct { int w; } other_key;\n", "does not compile"),
        ("typedef struct { char b[1ull << 33]; } crypto_aead_key;\n", "not from 0 to 1073741824"),
        ("typedef struct { int w; } crypto_aead_key;\n#define crypto_aead_BLOCKBYTES -16\n", "not from 0 to"),
        ("typedef struct { _Alignas(8192) int w; } crypto_aead_key;\n", "does not compile"),
    ],
    ids=["torn", "another type", "too large", "a negative number", "aligned to two pages"],
)
def test_a_header_that_cannot_be_used_is_named(text: str, reason: str, types: OpaqueTypes, tmp_path: Path) -> None:
    own = interface(tmp_path / "own", "crypto_aead_types.h", text)
    with pytest.raises(BuildError, match=rf"crypto_aead_types\.h .*{reason}"):
        types.of(AEAD, COMPILERS[0], own)
