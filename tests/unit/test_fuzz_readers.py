# SPDX-License-Identifier: MIT OR Apache-2.0
"""Readers of foreign input, fed with mutants of the inputs in tests/corpus: each works or says in one line why not.

CYCLOMETER_FUZZ_EXAMPLES is the number of mutants for each reader; the default keeps a run of all tests short.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cyclometer.check import all_requests, read_vectors, validate
from cyclometer.discover import adapt, listing, recognise, schema, toml_files
from cyclometer.errors import CyclometerError
from cyclometer.records.catalogue import Catalogue
from cyclometer.store.importers import import_files
from support.our_catalogue import our_catalogue
from support.small_tree import REPOSITORY

CORPUS = REPOSITORY / "tests" / "corpus"
EXAMPLES = int(os.environ.get("CYCLOMETER_FUZZ_EXAMPLES", "25"))
SECONDS = 10.0  # of CPU time, which no other process lengthens, that reading a small file may take

SYNTAX = [b"\0", b"\xff", b"\n", b"\r", b"{", b"[", b"}", b"]", b'"', b"'", b"*", b"&a", b"*a", b"<<: ", b"/*", b"*/"]
SYNTAX += [
    b"=",
    b" = ",
    b"-",
    b"#",
    b"\\",
    b"\\\n",
    b"9" * 30,
    b"1e999",
    b"nan",
    b"-1",
    b"\xed\xa0\x80",
    b"\xe2\x80\xae",
]
SYNTAX += [b"a.b", b"null", b"true", b"<<", b"(", b")", b"%s", b"{0}", b"[[", b"]]", b"0x", b"'''", b'"""', b"\x1b[2J"]


@cache
def catalogue() -> Catalogue:
    return our_catalogue()


def tree(path: str, others: dict[str, bytes]) -> Callable[[bytes, Path], None]:
    """Return a reader of a foreign tree in which one file has the content; other files are as named."""

    def read(content: bytes, folder: Path) -> None:
        for name, text in {**others, path: content}.items():
            file = folder / "tree" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
        found = recognise(folder / "tree")
        listing(found, REPOSITORY)
        adapted, _ = adapt(catalogue(), found, (), REPOSITORY / "adapters")
        for primitive in adapted.primitives.values():
            for vectors in primitive.vectors:
                read_vectors(vectors, adapted.operations)

    return read


def declaration(kind: type[schema.Declaration]) -> Callable[[bytes, Path], None]:
    def read(content: bytes, folder: Path) -> None:
        file = folder / "declaration.toml"
        file.write_bytes(content)
        toml_files.read(kind, file)

    return read


def vectors(name: str, operation: str, primitive: str) -> Callable[[bytes, Path], None]:
    def read(content: bytes, folder: Path) -> None:
        file = folder / name
        file.write_bytes(content)
        found = replace(read_vectors(file, catalogue().operations), operation=operation)
        validate(found, catalogue().operations[operation], catalogue().primitives[f"{operation}/{primitive}"])
        all_requests(found, catalogue().operations[operation])

    return read


def data_lines(content: bytes, folder: Path) -> None:
    for number, packed in enumerate((content, gzip.compress(content)[: len(content)])):
        file = folder / f"{number}.data"
        file.write_bytes(packed)
        foreign = {name: each.foreign for name, each in catalogue().operations.items() if each.foreign}
        complaint(partial(import_files, [file], folder / f"results{number}", foreign))


READERS: dict[str, Callable[[bytes, Path], None]] = {
    "supercop_api": tree("crypto_verify/16/a/api.h", {"crypto_verify/16/a/v.c": b"int x;"}),
    "supercop_checksum": tree(
        "crypto_verify/16/checksumsmall",
        {"crypto_verify/16/a/v.c": b"", "crypto_verify/16/a/api.h": b"#define CRYPTO_BYTES 16", "MACROS": b""},
    ),
    "nist_api": tree("toy/api.h", {"toy/kem.c": b"int x;"}),
    "nist_responses": tree(
        "KAT/toy.rsp",
        {
            "Reference_Implementation/toy/kem.c": b"int x;",
            "Reference_Implementation/toy/api.h": (CORPUS / "nist_api" / "valid.h").read_bytes(),
        },
    ),
    "nist_makefile": tree(
        "toy/Makefile",
        {"toy/kem.c": b"int x;", "toy/api.h": (CORPUS / "nist_api" / "valid.h").read_bytes()},
    ),
    "pqclean_meta": tree(
        "crypto_kem/toy/META.yml",
        {f"crypto_kem/toy/{name}/{file}": b"" for name in ("clean", "avx2") for file in ("api.h", "kem.c")},
    ),
    "estream_header": tree("toy/ecrypt-sync.h", {"toy/toy.c": b"int x;"}),
    "operation_toml": declaration(schema.Operation),
    "primitive_toml": declaration(schema.primitive_of(("key_bytes", "nonce_bytes"), ("stream", "mac"))),
    "vectors_json": vectors("vectors.json", "crypto_stream", "salsa20"),
    "vectors_lwc": vectors("LWC_AEAD_KAT_128_128.txt", "crypto_aead", "aes-128-gcm"),
    "vectors_estream": vectors("a.test-vectors", "crypto_stream", "salsa20"),
    "supercop_data": data_lines,
}

STRUCTURED = {"pqclean_meta", "operation_toml", "primitive_toml", "vectors_json"}  # no prefix of these is valid alone
SLOW = {"supercop_data": 5}  # stores a run for each input


def reads(name: str, content: bytes) -> None:
    """Assert that a reader works, or says in one line why not, in time."""
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        assert "\n" not in complaint(partial(READERS[name], content, Path(folder)))
    assert time.process_time() - start < SECONDS


def complaint(read: Callable[[], object]) -> str:
    """Return the message of the error that the command line prints, or ''; any other error is a defect."""
    try:
        read()
    except CyclometerError as error:
        return str(error)
    return ""


def seeds(name: str) -> list[Path]:
    return sorted(path for path in (CORPUS / name).iterdir())


KEPT = [f"{name}/{path.name}" for name in READERS for path in seeds(name)]


@pytest.mark.parametrize("path", KEPT)
def test_the_kept_inputs_are_read_or_refused_in_one_line(path: str) -> None:
    reads(path.partition("/")[0], (CORPUS / path).read_bytes())


EDIT = st.tuples(
    st.sampled_from(["insert", "delete", "replace", "repeat", "cut"]),
    st.floats(0, 1, exclude_max=True),
    st.integers(1, 64),
    st.one_of(st.sampled_from(SYNTAX), st.binary(max_size=8)),
)


def mutant(content: bytes, edits: list[tuple[str, float, int, bytes]]) -> bytes:
    for kind, where, count, new in edits:
        at = int(where * len(content))
        before, rest, after = content[:at], content[at : at + count], content[at + count :]
        content = {
            "insert": before + new + rest + after,
            "delete": before + after,
            "replace": before + new + after,
            "repeat": before + rest * min(count, 20) + after,
            "cut": before,
        }[kind]
    return content


@pytest.mark.parametrize("name", READERS)
def test_mutants_are_read_or_refused_in_one_line(name: str) -> None:
    contents = [path.read_bytes() for path in seeds(name)]

    @settings(
        max_examples=max(1, EXAMPLES // SLOW.get(name, 1)),
        deadline=None, database=None, suppress_health_check=list(HealthCheck),
        derandomize="CYCLOMETER_FUZZ_EXAMPLES" not in os.environ,
    )  # fmt: skip
    @given(st.sampled_from(contents), st.lists(EDIT, min_size=1, max_size=6))
    def holds(content: bytes, edits: list[tuple[str, float, int, bytes]]) -> None:
        reads(name, mutant(content, edits))

    holds()


BOMBS = {
    "brackets": b"[" * 100_000,
    "braces": b'{"a":' * 100_000,
    "toml brackets": b"a = " + b"[" * 100_000,
    "toml tables": b"a = " + b"{ a = " * 50_000,
    "toml dots": b".".join([b"a"] * 20_000) + b" = 1",
    "toml headers": b"".join(b"[a%s]\n" % (b".b" * 50) for _ in range(1)) * 2000,
    "digits": b'{"a": ' + b"9" * 100_000 + b"}",
    "toml digits": b"a = " + b"9" * 100_000,
    "laughs": b"a: &a [x,x]\n" + b"".join(b"%c: &%c [*%c,*%c]\n" % (n, n, n - 1, n - 1) for n in range(98, 122))
    + b"implementations: [{name: clean, supported_platforms: [{architecture: *y, operating_systems: [*y]}]}]\n",
    "itself": b"implementations: &a [*a]\n",
    "flow": b"a: " + b"[" * 20_000,
    "blocks": b"".join(b" " * n + b"-\n" for n in range(1400)),
    "newlines": b"\n" * 300_000,
    "blanks": b" " * 300_000,
    "comments": b"/*" * 450_000,
    "includes": b"#include \"" * 90_000,
    "functions": b"int crypto_kem_enc(" * 50_000,
    "defines": b"#define CRYPTO_ALGNAME \"" * 40_000,
    "nul": b"\0" * 900_000,
    "escapes": b"\x1b]8;;http://example.org\x07" * 1000,
    "long line": b"20260330 vm amd64 20261121 crypto_aead a encrypt_cycles 1 383 " + b"+1" * 400_000,
    "equals": b"Count = 1\nKey = " + b"00" * 400_000,
    "continued": b"Set 1, vector#  0:\n key = 00\n" + b"  A\n" * 200_000,
    "label": b"Set 1, vector#  0:\n stream[0..99999999999999999999] = 00\n key = 00\n",
}  # fmt: skip


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("name", READERS)
def test_bombs_are_read_or_refused_in_one_line(name: str, bomb: str) -> None:
    reads(name, (b"" if name in STRUCTURED else seeds(name)[-1].read_bytes()) + BOMBS[bomb])
