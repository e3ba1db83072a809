# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rules for every primitive and every implementation of our own."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from cyclometer.check import read_vectors, validate
from cyclometer.compile.build_tool import BuildError
from cyclometer.discover import schema, toml_files
from cyclometer.records.catalogue import Implementation
from cyclometer.records.executable import BuildRequest
from support.our_catalogue import our_catalogue
from support.small_tree import REPOSITORY
from support.whole_tree import WholeTree, is_a_lack

CATALOGUE = our_catalogue()
OWN = [i for i in CATALOGUE.implementations if i.folders[0].is_relative_to(REPOSITORY / "primitives")]
PRIMITIVES = sorted(CATALOGUE.primitives)

# What an implementation may call: the compiler inserts calls of these.
ALLOWED_CALLS = {"memcpy", "memset", "memmove", "memcmp", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_"} | {
    "__popcountdi2",
    "randombytes",
}

# Operations that have a fast implementation of our own beside the readable one.
IN_THE_PAPER = {"crypto_aead", "crypto_stream", "crypto_onetimeauth"}

# The CPU features that an implementation may need, of any architecture, and a name for all of AVX-512's.
FEATURES = {
    name
    for file in (REPOSITORY / "toolchains/features").glob("*.toml")
    for name in tomllib.loads(file.read_text(encoding="utf-8"))
}
FAMILIES = {"avx512"}

# No attack on these has a cost.
NO_SECRET_TO_GUESS = {"crypto_verify", "crypto_sort", "crypto_encode", "crypto_decode"}


def own_names() -> dict[str, set[str]]:
    """Return the names of our own implementations, by primitive."""
    names: dict[str, set[str]] = defaultdict(set)
    for implementation in OWN:
        names[f"{implementation.operation}/{implementation.primitive}"].add(implementation.name)
    return names


def over_a_library(key: str) -> bool:
    """Tell whether all our implementations of a primitive use a library's arithmetic, which keeps them readable."""
    return all(i.packages for i in OWN if f"{i.operation}/{i.primitive}" == key)


@pytest.mark.parametrize("key", PRIMITIVES)
def test_a_primitive_has_published_vectors(key: str) -> None:
    primitive = CATALOGUE.primitives[key]
    assert primitive.vectors
    for path in primitive.vectors:
        file = read_vectors(path)
        assert (file.operation, file.system) == (primitive.operation, primitive.name)
        validate(file, CATALOGUE.operations[primitive.operation], primitive)


@pytest.mark.parametrize("key", PRIMITIVES)
def test_a_primitive_has_a_readable_implementation_and_one_to_compare_it_with(key: str) -> None:
    composed = CATALOGUE.primitives[key].composed
    if composed and not composed.searched:  # its parts are primitives themselves
        return
    searched = "/".join(composed.parts[composed.searched]) if composed else key
    names = own_names()[searched]
    if not names:  # only libraries have it, for comparison with our own systems
        assert any(f"{i.operation}/{i.primitive}" == searched for i in CATALOGUE.implementations)
        return
    assert "ref" in names or over_a_library(searched)
    if key.partition("/")[0] in IN_THE_PAPER:
        assert len(names) >= 2


@pytest.mark.parametrize("key", PRIMITIVES)
def test_a_primitive_declares_its_facts(key: str) -> None:
    facts = CATALOGUE.primitives[key].facts
    for name in ("description", "designers", "year", "source", "security_bits", "licence"):
        if name != "security_bits" or key.partition("/")[0] not in NO_SECRET_TO_GUESS:
            assert facts.get(name), f"{name} is not declared"


@pytest.mark.parametrize("implementation", OWN, ids=lambda i: i.key)
def test_an_implementation_declares_whether_its_time_depends_on_secrets(implementation: Implementation) -> None:
    file = implementation.folders[0] / "implementation.toml"
    assert toml_files.read(schema.Implementation, file).constant_time is not None


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> WholeTree:
    """Set up the whole tree, built by gcc -O2."""
    return WholeTree.with_toolchain(tmp_path_factory.mktemp("whole") / "tree", "gcc")


def letters(name: str) -> str:
    """Reduce a name to letters and digits: sse41, shani."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


@pytest.mark.parametrize("implementation", OWN, ids=lambda i: i.key)
def test_an_implementation_named_after_a_feature_uses_its_name(implementation: Implementation) -> None:
    """The name is spelt as in toolchains/features, not in another way and not in part."""
    name = implementation.name
    assert {letters(feature): feature for feature in FEATURES}.get(letters(name), name) == name
    if name not in FEATURES | FAMILIES:
        parts = {letters(part) for part in re.split("[-_]", name)}
        assert [feature for feature in implementation.needs for part in parts if part in letters(feature)] == []


def symbols(objects: list[Path]) -> dict[str, set[str]]:
    """Map nm's letters to the names in all objects; U are the functions called."""
    found: dict[str, set[str]] = defaultdict(set)
    listed = subprocess.run(["nm", *objects], capture_output=True, text=True, check=True).stdout
    for letter, name in re.findall(r"^[0-9a-f ]+ ([A-Za-z]) (\S+)$", listed, re.MULTILINE):
        found[letter].add(name)
    return found


@pytest.mark.parametrize("own", OWN, ids=lambda i: i.key)
def test_an_implementation_defines_the_functions_of_its_api_and_nothing_else(
    own: Implementation, whole: WholeTree
) -> None:
    """It calls only what the compiler itself may call, and keeps nothing between calls."""
    request = request_for(own, whole)
    api = declared(request, whole)
    found = symbols(compiled(request, whole))
    assert found["T"] <= api
    # These are declared for all: one is for keys that own memory, one is replaced where secret keys are states.
    not_for_all = {f"{own.operation}_release"} | ({"crypto_sign"} if "crypto_sign_stateful" in found["T"] else set())
    assert api - found["T"] <= not_for_all
    assert found["D"] | found["B"] | found["C"] | found["R"] | found["W"] | found["V"] == set()
    assert own.packages or found["U"] - api <= ALLOWED_CALLS  # or its declared library
    assert found["b"] | found["B"] | found["C"] == set(), "globals that change"


def request_for(own: Implementation, whole: WholeTree) -> BuildRequest:
    """Return the request to build that implementation."""
    [implementation] = [i for i in whole.environment.catalogue.implementations if i.key == own.key]
    return BuildRequest(
        primitive=whole.environment.catalogue.primitives[f"{own.operation}/{own.primitive}"],
        implementation=implementation,
        compiler=whole.environment.catalogue.compilers[0],
    )


def compiled(request: BuildRequest, whole: WholeTree) -> list[Path]:
    """Compile its own sources, or skip the test if this machine lacks something for them."""
    try:
        return whole.environment.builder.own_objects(request)
    except BuildError as error:
        if is_a_lack(error.failure(request.subject)):
            pytest.skip(error.reason)
        raise


def declared(request: BuildRequest, whole: WholeTree) -> set[str]:
    """Return the functions that the API's header declares for an implementation with these sizes and types."""
    operation = request.implementation.operation
    folders, macros = whole.environment.builder.interfaces.of(request)
    command = ["gcc", "-E", "-P", *(f"-I{folder}" for folder in folders), *(f"-D{n}={v}" for n, v in macros)]
    header = REPOSITORY / "operations" / operation / f"{operation}.h"
    text = subprocess.run([*command, header], capture_output=True, text=True, check=True).stdout
    return set(re.findall(rf"\b({operation}\w*)\(", text))
