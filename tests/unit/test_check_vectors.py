# SPDX-License-Identifier: MIT OR Apache-2.0
"""Vector files: what is asked, and how answers are compared with bytes that may be there only as digests."""

from __future__ import annotations

import hashlib
import json
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from cyclometer import process
from cyclometer.build import Builder, Cache, Request, working
from cyclometer.check import VectorFile, check_vectors, must_fit, read_vectors
from cyclometer.discover import discover
from cyclometer.errors import BadVectors
from cyclometer.model import Catalogue, Executable
from small_tree import SmallTree

KEY, NONCE = "80" + "00" * 31, "00" * 8
LONG = 70_001  # no multiple of 64


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """Salsa20 alone, with a compiler that works."""
    tree = SmallTree.grow(tmp_path_factory.mktemp("vectors") / "tree", "crypto_stream/salsa20/ref")
    found = discover(tree.root, "gcc")
    compilers, failures = working(found.compilers)
    assert failures == []
    return Catalogue(**{**vars(found), "compilers": tuple(compilers)})


@pytest.fixture(scope="module")
def salsa20(catalogue: Catalogue) -> Executable:
    tree = catalogue.operations["crypto_stream"].folder.parents[1]
    builder = Builder(
        tree=tree, catalogue=catalogue, cache=Cache(), counter="clock_gettime", cpu_flags=(), cpu="any"
    )
    [implementation] = catalogue.implementations
    primitive = catalogue.primitives["crypto_stream/salsa20"]
    [executable], failures = builder.build(
        [Request(primitive=primitive, implementation=implementation, compiler=catalogue.compilers[0])]
    )
    assert failures == []
    return executable


@pytest.fixture(scope="module")
def keystream(salsa20: Executable, catalogue: Catalogue) -> bytes:
    """LONG bytes of Salsa20's."""
    said = process.run(
        [str(salsa20.path), "answer"],
        stdin=f"keystream {KEY} {NONCE} {LONG}\n".encode(),
        visible=[salsa20.path.parent],
    )
    return bytes.fromhex(said.stdout.decode().split("\t")[1])


def complaint(salsa20: Executable, catalogue: Catalogue, **fields: Any) -> str:
    """What is said of a vector with this key and nonce and these fields; '' when it holds."""
    vector = {"id": "it", "key": KEY, "nonce": NONCE, **fields}
    file = VectorFile(path=Path("v.json"), operation="crypto_stream", system="salsa20", vectors=(vector,))
    must_fit(file, catalogue.operations["crypto_stream"], catalogue.primitives["crypto_stream/salsa20"])
    failure = check_vectors(salsa20, catalogue.operations["crypto_stream"], file)
    return failure.reason.removeprefix("vector it of v.json: keystream: ") if failure else ""


def test_ecrypt_set_1_vector_0(salsa20: Executable, catalogue: Catalogue) -> None:
    """The first of the published ones, so that `keystream` is Salsa20's indeed."""
    first = "e3be8fdd8beca2e3ea8ef9475b29a6e7003951e1097a5c38d23b7a5fad9f6844"
    assert complaint(salsa20, catalogue, length=32, keystream=first) == ""


def test_the_first_difference_is_named(salsa20: Executable, catalogue: Catalogue, keystream: bytes) -> None:
    wrong = keystream[:20] + bytes([keystream[20] ^ 1]) + keystream[21:40]
    assert complaint(salsa20, catalogue, length=40, keystream=keystream[:40].hex()) == ""
    told = complaint(salsa20, catalogue, length=40, keystream=wrong.hex())
    assert told == f"keystream differs at byte 20: {keystream[20:28].hex()}... instead of {wrong[20:28].hex()}..."
    told = complaint(salsa20, catalogue, length=40, keystream=keystream[:39].hex())
    assert told == "keystream has 40 bytes instead of 39"


def xor_digest(data: bytes) -> str:
    """Of all pieces of 64 bytes, the last filled up with zeroes."""
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
    ("fields", "said"),
    [
        ({"sha256": "00" * 32}, "the SHA-256 of keystream differs"),
        ({"keystream_sha256": "00" * 32}, "the SHA-256 of keystream differs"),
        ({"chunks": {"64": "00" * 64}}, "keystream differs in the 64 bytes at 64"),
        ({"chunks": {str(LONG): "00"}}, f"keystream differs in the 1 bytes at {LONG}"),
        ({"chunks": {}, "xor_digest_64": "00" * 64}, "the XOR digest of keystream differs"),
        ({}, "the vector says nothing of keystream"),
    ],
)
def test_a_wrong_digest_is_a_difference(
    fields: dict[str, Any], said: str, salsa20: Executable, catalogue: Catalogue
) -> None:
    assert complaint(salsa20, catalogue, length=LONG, **fields) == said


def test_zero_bytes_stand_for_themselves(salsa20: Executable, catalogue: Catalogue) -> None:
    zero = bytes(32).hex()
    assert complaint(salsa20, catalogue, key=zero, length=16, sha256="00" * 32)
    vector = {"nonce": NONCE, "length": 64}
    file = VectorFile(
        path=Path("v.json"),
        operation="crypto_stream",
        system="salsa20",
        vectors=({**vector, "key": zero}, {**vector, "key_zero_bytes": 32}),
    )
    must_fit(file, catalogue.operations["crypto_stream"], catalogue.primitives["crypto_stream/salsa20"])
    failure = check_vectors(salsa20, catalogue.operations["crypto_stream"], file)
    assert failure
    assert failure.reason.startswith("vector #0"), "the first says nothing; but both could be asked"


@pytest.mark.parametrize(
    ("fields", "said"),
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
def test_a_vector_that_cannot_be_asked_is_told(
    fields: dict[str, Any], said: str, salsa20: Executable, catalogue: Catalogue
) -> None:
    with pytest.raises(BadVectors) as caught:
        complaint(salsa20, catalogue, **{"length": 1, "keystream": "00", **fields})
    assert str(caught.value).startswith(f"v.json: vector it: {said}")


def test_a_file_is_read_with_its_remarks_left_aside(tmp_path: Path) -> None:
    file = tmp_path / "v.json"
    content = {"format": "cyclometer-vectors/1", "operation": "o", "system": "s", "source": "x", "vectors": [{"id": 1}]}
    file.write_text(json.dumps(content))
    assert read_vectors(file) == VectorFile(path=file, operation="o", system="s", vectors=({"id": 1},))
