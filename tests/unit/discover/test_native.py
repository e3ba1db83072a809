# SPDX-License-Identifier: MIT OR Apache-2.0
"""Folders are the registry: the contents of a tree, and names on the command line."""

from __future__ import annotations

import pytest

from cyclometer.compile.packages import MissingLibrary, Package, with_headers
from cyclometer.discover import discover, select
from cyclometer.errors import BadDeclaration, NothingToDo, UnknownName
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.failure import FailureKind
from support.small_tree import SmallTree


@pytest.fixture
def tree(tree: SmallTree) -> SmallTree:
    """Add a composed system to the small tree."""
    tree.plant("crypto_aead/salsa20-poly1305")
    return tree


@pytest.fixture
def catalogue(tree: SmallTree) -> Catalogue:
    return discover(tree.root)


def names(catalogue: Catalogue, *wanted: str) -> list[str]:
    return [primitive.key for primitive in select(catalogue, wanted)]


def test_what_the_tree_holds(catalogue: Catalogue) -> None:
    assert sorted(catalogue.primitives) == [
        "crypto_aead/aes-128-gcm",
        "crypto_aead/salsa20-poly1305",
        "crypto_onetimeauth/poly1305",
        "crypto_stream/salsa20",
    ]
    assert sorted(implementation.key for implementation in catalogue.implementations) == [
        "crypto_aead/aes-128-gcm/ref",
        "crypto_onetimeauth/poly1305/ref",
        "crypto_stream/salsa20/ref",
    ]
    assert [compiler.name for compiler in catalogue.compilers] == ["gcc-O2"]


def test_shared_sources_and_hidden_folders_are_not_implementations(tree: SmallTree) -> None:
    for folder in ("_shared", ".git", "attacks"):
        tree.write(f"primitives/crypto_stream/salsa20/{folder}/salsa20.c", "")
    tree.write("primitives/crypto_stream/_unfinished/primitive.toml", "not even TOML")
    names = [i.name for i in discover(tree.root).implementations if i.primitive == "salsa20"]
    assert names == ["ref"]


def test_a_composed_system_has_the_sizes_of_its_parts_together(catalogue: Catalogue) -> None:
    """Section 2 of the paper: the key is (r, k), the nonce the stream's, the tag the authenticator's."""
    composed = catalogue.primitives["crypto_aead/salsa20-poly1305"]
    assert composed.sizes == {"key_bytes": 16 + 32, "nonce_bytes": 8, "tag_bytes": 16}
    assert not composed.associated_data


def test_a_composed_system_inherits_the_facts_and_the_attacks_of_its_stream(tree: SmallTree) -> None:
    attack = """
        who = ["{who}"]
        year = 2100
        breaks = "x"
        cost = "x"
        remaining_bits = 1
        citation = "x"
    """
    tree.write("primitives/crypto_stream/salsa20/attacks/stream.toml", attack.format(who="A"))
    tree.write("primitives/crypto_aead/salsa20-poly1305/attacks/own.toml", attack.format(who="B"))
    facts = discover(tree.root).primitives["crypto_aead/salsa20-poly1305"].facts
    assert [attack["who"] for attack in facts["attacks"]] == [["A"], ["B"]]
    assert facts["security_bits"] == 256


def test_a_provider_is_an_implementation_of_every_primitive_in_its_table(tree: SmallTree) -> None:
    for file in ("crypto_stream.c", "shared_by_all.cc", "shared.h"):
        tree.write(f"providers/library/crypto_stream/{file}", "")
    tree.write(
        "providers/library/provider.toml",
        """
        name = "Library"
        packages = ["library >= 2"]
        debian = "library-dev"
        needs = { salsa20 = ["avx2"] }
        [operations.crypto_stream]
        salsa20 = { LIBRARY_NAME = "salsa" }
        [operations.crypto_onetimeauth]
        poly1305 = {}
        """,
    )
    provided = {i.key: i for i in discover(tree.root).implementations if i.name == "library"}
    assert sorted(provided) == ["crypto_onetimeauth/poly1305/library", "crypto_stream/salsa20/library"]
    stream = provided["crypto_stream/salsa20/library"]
    assert (stream.needs, stream.macros) == (("avx2",), (("LIBRARY_NAME", "salsa"),))
    glue = tree / "providers/library/crypto_stream"
    assert stream.sources == (glue / "crypto_stream.c", glue / "shared_by_all.cc")


def test_a_provider_without_a_pkg_config_file_declares_headers_and_linker_options(tree: SmallTree) -> None:
    tree.write("providers/library/crypto_stream/crypto_stream.cc", "")
    tree.write(
        "providers/library/provider.toml",
        """
        name = "Library"
        headers = ["library/stream.h"]
        link = ["-llibrary"]
        debian = "library-dev"
        [operations.crypto_stream]
        salsa20 = {}
        """,
    )
    [stream] = [i for i in discover(tree.root).implementations if i.name == "library"]
    assert (stream.packages, stream.headers, stream.libraries) == ((), ("library/stream.h",), ("-llibrary",))
    assert stream.sources == (tree / "providers/library/crypto_stream/crypto_stream.cc",)


def test_a_missing_header_is_named_and_a_present_one_identifies_the_library() -> None:
    package = with_headers(Package(identity="1.0"), "gcc", ("limits.h",))
    assert isinstance(package, Package)
    assert package.identity.startswith("1.0 ")
    missing = MissingLibrary(FailureKind.NEEDS_LIBRARY, "the header no/such.h")
    assert with_headers(Package(), "gcc", ("limits.h", "no/such.h")) == missing


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("primitives/crypto_strem/x/primitive.toml", 'description = ""', "did you mean 'crypto_stream'?"),
        (
            "primitives/crypto_aead/x/primitive.toml",
            'description = ""\ncomposition = "poly1306-2007"',
            "did you mean 'poly1305-2007'?",
        ),
        (
            "primitives/crypto_aead/x/primitive.toml",
            'description = ""\ncomposition = "poly1305-2007"\nstream = "salsa20"',
            "needs the key 'mac'",
        ),
        (
            "providers/p/provider.toml",
            'name = ""\npackages = []\ndebian = ""\n[operations.crypto_stream]\nsalsa21 = {}',
            "did you mean 'salsa20'?",
        ),
    ],
)
def test_a_dangling_reference_is_reported_with_its_file(file: str, text: str, words: str, tree: SmallTree) -> None:
    tree.write(file, text)
    with pytest.raises((UnknownName, BadDeclaration)) as caught:
        discover(tree.root)
    assert words in str(caught.value)
    assert file.removesuffix("/primitive.toml") in str(caught.value)


def test_a_name_selects_a_primitive_an_operation_or_a_pattern(catalogue: Catalogue) -> None:
    assert names(catalogue, "salsa20") == ["crypto_stream/salsa20"]
    assert names(catalogue, "crypto_stream/salsa20") == ["crypto_stream/salsa20"]
    assert names(catalogue, "crypto_onetimeauth") == ["crypto_onetimeauth/poly1305"]
    assert names(catalogue, "salsa20*") == ["crypto_aead/salsa20-poly1305", "crypto_stream/salsa20"]
    assert names(catalogue, "*/salsa20", "salsa20") == ["crypto_stream/salsa20"], "once"


def test_no_name_selects_the_default_operations(catalogue: Catalogue) -> None:
    assert names(catalogue) == ["crypto_aead/aes-128-gcm", "crypto_aead/salsa20-poly1305"]


def test_an_unknown_name_is_reported_with_the_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownName, match="did you mean 'poly1305'"):
        names(catalogue, "salsa20", "poli1305")


def test_no_name_selects_the_headline_systems_where_any_is_marked(tree: SmallTree) -> None:
    file = tree.root / "primitives/crypto_aead/aes-128-gcm/primitive.toml"
    file.write_text(file.read_text().replace("first = true\n", ""))
    other = tree.root / "primitives/crypto_aead/salsa20-poly1305/primitive.toml"
    marked = other.read_text()
    assert names(discover(tree.root)) == ["crypto_aead/salsa20-poly1305"]
    other.write_text(marked.replace("first = true\n", ""))
    assert len(names(discover(tree.root))) == 2


def test_a_tree_without_a_default_operation_asks_for_a_name(tree: SmallTree) -> None:
    for name in ("aes-128-gcm", "salsa20-poly1305"):
        (tree / f"primitives/crypto_aead/{name}/primitive.toml").unlink()
    with pytest.raises(NothingToDo, match="name a system"):
        names(discover(tree.root))
