# SPDX-License-Identifier: MIT OR Apache-2.0
"""Vector files: the requests made of them, and the comparison of answers with bytes or their digests."""

from __future__ import annotations

import hashlib
import json
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from cyclometer.check import VectorFile, all_requests, check_vectors, read_vectors, validate
from cyclometer.check.vectors import difference
from cyclometer.compile import Builder, Cache, working
from cyclometer.discover import discover
from cyclometer.errors import BadVectors
from cyclometer.execute import sandbox
from cyclometer.records.catalogue import Catalogue, VectorTemplate
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.vectors.templates import requests, validation_error
from support.our_catalogue import our_catalogue
from support.small_tree import REPOSITORY, SmallTree

KEY, NONCE = "80" + "00" * 31, "00" * 8
LONG = 70_001  # no multiple of 64


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """Read a tree of Salsa20 alone, with a working compiler."""
    tree = SmallTree.grow(tmp_path_factory.mktemp("vectors") / "tree", "crypto_stream/salsa20/ref")
    found = discover(tree.root, "gcc")
    compilers, failures = working(found.compilers)
    assert failures == []
    return Catalogue(**{**vars(found), "compilers": tuple(compilers)})


@pytest.fixture(scope="module")
def salsa20(catalogue: Catalogue) -> Executable:
    tree = catalogue.operations["crypto_stream"].folder.parents[1]
    builder = Builder(tree=tree, catalogue=catalogue, cache=Cache(), counter="clock_gettime", cpu_flags=(), cpu="any")
    [implementation] = catalogue.implementations
    primitive = catalogue.primitives["crypto_stream/salsa20"]
    [executable], failures = builder.build(
        [BuildRequest(primitive=primitive, implementation=implementation, compiler=catalogue.compilers[0])]
    )
    assert failures == []
    return executable


@pytest.fixture(scope="module")
def keystream(salsa20: Executable, catalogue: Catalogue) -> bytes:
    """Return LONG bytes of Salsa20's keystream."""
    result = sandbox.run(
        [str(salsa20.path), "answer"],
        stdin=f"keystream {KEY} {NONCE} {LONG}\n".encode(),
        visible=[salsa20.path.parent],
    )
    return bytes.fromhex(result.stdout.decode().split("\t")[1])


def complaint(salsa20: Executable, catalogue: Catalogue, **fields: Any) -> str:
    """Return the complaint about a vector with KEY, NONCE and these fields; '' if it is right."""
    vector = {"id": "it", "key": KEY, "nonce": NONCE, **fields}
    file = VectorFile(path=Path("v.json"), operation="crypto_stream", system="salsa20", vectors=(vector,))
    validate(file, catalogue.operations["crypto_stream"], catalogue.primitives["crypto_stream/salsa20"])
    failure = check_vectors(salsa20, all_requests(file, catalogue.operations["crypto_stream"]))
    return failure.reason.removeprefix("vector it of v.json: keystream: ") if failure else ""


def test_ecrypt_set_1_vector_0(salsa20: Executable, catalogue: Catalogue) -> None:
    """The first published vector shows that `keystream` is Salsa20's."""
    first = "e3be8fdd8beca2e3ea8ef9475b29a6e7003951e1097a5c38d23b7a5fad9f6844"
    assert complaint(salsa20, catalogue, length=32, keystream=first) == ""


def test_the_first_difference_is_named(salsa20: Executable, catalogue: Catalogue, keystream: bytes) -> None:
    wrong = keystream[:20] + bytes([keystream[20] ^ 1]) + keystream[21:40]
    assert complaint(salsa20, catalogue, length=40, keystream=keystream[:40].hex()) == ""
    found = complaint(salsa20, catalogue, length=40, keystream=wrong.hex())
    assert found == f"keystream differs at byte 20: {keystream[20:28].hex()}... instead of {wrong[20:28].hex()}..."
    found = complaint(salsa20, catalogue, length=40, keystream=keystream[:39].hex())
    assert found == "keystream has 40 bytes instead of 39"


def xor_digest(data: bytes) -> str:
    """Return the XOR of all pieces of 64 bytes, the last one padded with zeroes, in hex."""
    data += bytes(-len(data) % 64)
    pieces = (int.from_bytes(data[i : i + 64], "big") for i in range(0, len(data), 64))
    return reduce(lambda a, b: a ^ b, pieces).to_bytes(64, "big").hex()


def test_a_long_answer_may_be_given_by_digests_and_chunks(
    salsa20: Executable, catalogue: Catalogue, keystream: bytes
) -> None:
    digest = hashlib.sha256(keystream).hexdigest()
    chunks = {"0": keystream[:64].hex(), "65472": keystream[65472:65536].hex()}
    right = [
        {"sha256": digest},
        {"keystream_sha256": digest},
        {"chunks": chunks},
        {"chunks": chunks, "xor_digest_64": xor_digest(keystream), "sha256": digest},
    ]
    for fields in right:
        assert complaint(salsa20, catalogue, length=LONG, **fields) == ""


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sha256": "00" * 32}, "the SHA-256 of keystream differs"),
        ({"keystream_sha256": "00" * 32}, "the SHA-256 of keystream differs"),
        ({"chunks": {"64": "00" * 64}}, "keystream differs in the 64 bytes at 64"),
        ({"chunks": {str(LONG): "00"}}, f"keystream differs in the 1 bytes at {LONG}"),
        ({"chunks": {}, "xor_digest_64": "00" * 64}, "the XOR digest of keystream differs"),
        ({}, "the vector has no expected keystream"),
    ],
)
def test_a_wrong_digest_is_a_difference(
    fields: dict[str, Any], message: str, salsa20: Executable, catalogue: Catalogue
) -> None:
    assert complaint(salsa20, catalogue, length=LONG, **fields) == message


def test_zero_bytes_may_be_given_by_their_number(salsa20: Executable, catalogue: Catalogue) -> None:
    zero = bytes(32).hex()
    assert complaint(salsa20, catalogue, key=zero, length=16, sha256="00" * 32)
    vector = {"nonce": NONCE, "length": 64}
    file = VectorFile(
        path=Path("v.json"),
        operation="crypto_stream",
        system="salsa20",
        vectors=({**vector, "key": zero}, {**vector, "key_zero_bytes": 32}),
    )
    validate(file, catalogue.operations["crypto_stream"], catalogue.primitives["crypto_stream/salsa20"])
    failure = check_vectors(salsa20, all_requests(file, catalogue.operations["crypto_stream"]))
    assert failure
    assert failure.reason.startswith("vector #0"), "the first has no answer to compare with, but both are valid"


@pytest.mark.parametrize(
    ("text", "message"),
    [("[", "not JSON: "), (f"[{'1' * 5000}]", "a number has too many digits"), ("[" * 100_000, "nested too deep")],
)
def test_what_cannot_be_read_is_said_without_pythons_words(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "v.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadVectors) as caught:
        read_vectors(path)
    assert message in str(caught.value)
    assert not any(word in str(caught.value) for word in ("4300", "sys.", "recursion"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"key": "80" * 31}, "key has 31 bytes instead of 32"),
        ({"key": KEY.replace("8", "G")}, "key is not lower-case hex"),
        ({"key": KEY + "0"}, "key is not lower-case hex"),
        ({"nonce": 8}, "nonce is 8"),
        ({"nonce": None}, "nonce is None"),
        ({"length": -1}, "length is -1"),
        ({"length": 1.5}, "length is 1.5"),
        ({"length": 1 << 60}, "length is"),
        ({"key": "", "key_zero_bytes": 31}, "key has 31 bytes instead of 32"),
        ({"key_zero_bytes": "many"}, "key_zero_bytes is 'many'"),
        ({"chunks": []}, "chunks is not {offset: hex}"),
        ({"chunks": {"-1": "00"}}, "chunks is not {offset: hex}"),
        ({"chunks": {"0": "0"}}, "chunks is not {offset: hex}"),
    ],
)
def test_an_invalid_vector_is_reported(
    fields: dict[str, Any], message: str, salsa20: Executable, catalogue: Catalogue
) -> None:
    with pytest.raises(BadVectors) as caught:
        complaint(salsa20, catalogue, **{"length": 1, "keystream": "00", **fields})
    assert str(caught.value).startswith(f"v.json: vector it: {message}")


def test_other_fields_of_a_file_are_ignored(tmp_path: Path) -> None:
    file = tmp_path / "v.json"
    content = {"format": "cyclometer-vectors/1", "operation": "o", "system": "s", "source": "x", "vectors": [{"id": 1}]}
    file.write_text(json.dumps(content))
    assert read_vectors(file) == VectorFile(path=file, operation="o", system="s", vectors=({"id": 1},))


# ---- templates that depend on a vector's fields

SIGN = VectorTemplate(ask="sign {secret_key} {message} {sign_random}", expect="{signed_message}", optional=True,
                when=("secret_key", "message", "signed_message"))  # fmt: skip
OPEN = VectorTemplate(
    ask="open {public_key} {signed_message}", expect="{message}", when=("public_key", "signed_message"), judges=True
)
APART = VectorTemplate(ask="open {public_key} {signature}{message}", expect="{message}",
                 when=("public_key", "signature", "message"), judges=True)  # fmt: skip
SIGNATURES = (SIGN, OPEN, APART)


def lines(**vector: Any) -> list[str]:
    return [request.line for request in requests(SIGNATURES, vector)]


def test_a_template_applies_to_vectors_with_all_its_fields() -> None:
    assert lines(public_key="aa", secret_key="bb", message="", signed_message="cc") == ["sign bb - -", "open aa cc"]
    assert lines(public_key="aa", secret_key="bb", message="01", signed_message="cc", sign_random="dd") == [
        "sign bb 01 dd",
        "open aa cc",
    ]
    assert lines(public_key="aa", secret_key="bb", message="01", signature="cc") == ["open aa cc01"]
    assert lines(public_key="aa", signed_message_zero_bytes=2) == ["open aa 0000"]


def test_only_negative_templates_apply_to_an_invalid_vector() -> None:
    vector = {"public_key": "aa", "secret_key": "bb", "message": "01", "signed_message": "cc", "valid": False}
    [request] = requests(SIGNATURES, vector)
    assert (request.line, request.expect) == ("open aa cc", "rejected")


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ({"public_key": "aa", "signed_message": "cc", "valid": False}, ""),
        ({"public_key": "aa", "signed_message": "cc", "valid": "no"}, "valid is 'no', neither true nor false"),
        ({"public_key": "aabb", "signed_message": "cc"}, "public_key has 2 bytes instead of 1"),
        ({"public_key": "aa"}, "its fields fit no [[vectors]] template of the operation"),
        ({"secret_key": "aa", "message": "", "signed_message": "", "valid": False}, "its fields fit no"),
    ],
)
def test_a_vector_must_fit_its_templates(vector: dict[str, Any], message: str) -> None:
    reported = validation_error(SIGNATURES, vector, {"public_key_bytes": 1})
    assert reported.startswith(message) if message else reported == ""


@pytest.mark.parametrize(
    ("valid", "answer", "message"),
    [
        (False, "rejected", ""),
        (False, "01", "answers '01' to an invalid input"),
        (False, "", "answers '' to an invalid input"),
        (True, "rejected", "answers 'rejected'"),
        (True, "01", ""),
        (True, "absent", "answers 'absent'"),
    ],
)
def test_only_an_invalid_vector_may_be_rejected(valid: bool, answer: str, message: str) -> None:
    [request] = requests([OPEN], {"public_key": "aa", "signed_message": "cc", "message": "01", "valid": valid})
    assert difference(request, answer) == message


def test_an_implementation_may_lack_an_optional_function() -> None:
    [request] = requests([SIGN], {"secret_key": "aa", "signed_message": "cc", "message": "01"})
    assert difference(request, "absent") == ""
    assert difference(request, "cd") == "signed_message differs at byte 0: cd... instead of cc..."


TEMPLATES = {operation.name: operation.vectors for operation in our_catalogue().operations.values()}
FILES = sorted((REPOSITORY / "primitives").glob("crypto_*/*/vectors*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_vector_of_the_tree_has_a_template(path: Path) -> None:
    file = read_vectors(path)
    templates = TEMPLATES[file.operation]
    assert all(list(requests(templates, vector)) for vector in file.vectors)
