# SPDX-License-Identifier: MIT OR Apache-2.0
"""A text may begin with the byte order mark of UTF-8, which some editors write; UTF-16 is refused by its name."""

from __future__ import annotations

import codecs
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cyclometer.check import read_vectors
from cyclometer.compile.sources import Includes
from cyclometer.discover import adapt, recognise, toml_files
from cyclometer.errors import CyclometerError
from cyclometer.store.importers._lines import lines
from cyclometer.workload.trace import read_trace
from support.our_catalogue import our_catalogue
from support.small_tree import REPOSITORY

CORPUS = REPOSITORY / "tests" / "corpus"


def declaration(file: Path) -> object:
    return toml_files.read_toml(file)


def vectors(file: Path) -> object:
    return read_vectors(file, our_catalogue().operations).vectors


def package(file: Path) -> object:
    """Read an NIST package: its implementation, with the records that its code must answer."""
    shutil.copytree(CORPUS / "nist_api", code := file.parent / "Reference_Implementation" / "toy", dirs_exist_ok=True)
    (code / "valid.h").rename(code / "api.h")
    (code / "kem.c").touch()
    adapted, left_out = adapt(our_catalogue(), recognise(file.parent), (), REPOSITORY / "adapters")
    if left_out:
        raise CyclometerError(str(left_out))
    (found,) = (each for each in adapted.implementations if each.foreign)
    assert "record drbg 0 000102" in repr(found)
    return found


def imported(file: Path) -> object:
    return list(lines(file))


RESPONSES = f"# Toy\n\ncount = 0\nseed = {bytes(range(48)).hex()}\npk = 00\nsk = 01\nct = 02\nss = 03\n"
READERS: dict[str, tuple[bytes, Callable[[Path], object]]] = {
    "declaration.toml": ((CORPUS / "operation_toml" / "aead.toml").read_bytes(), declaration),
    "vectors.json": ((CORPUS / "vectors_json" / "valid.json").read_bytes(), vectors),
    "LWC_AEAD_KAT_128_128.txt": ((CORPUS / "vectors_lwc" / "valid.txt").read_bytes(), vectors),
    "a.test-vectors": ((CORPUS / "vectors_estream" / "valid.test-vectors").read_bytes(), vectors),
    "trace.csv": (b"length,key\n40,1\n1500,2\n", read_trace),
    "PQCkemKAT.rsp": (RESPONSES.encode(), package),
    "a.data": ((CORPUS / "supercop_data" / "valid.data").read_bytes(), imported),
}


@pytest.mark.parametrize("name", READERS)
def test_a_mark_before_a_text_is_no_part_of_it(name: str, tmp_path: Path) -> None:
    content, read = READERS[name]
    file = tmp_path / name
    file.write_bytes(content)
    expected = read(file)
    assert expected
    file.write_bytes(codecs.BOM_UTF8 + content)
    assert read(file) == expected


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_another_encoding_is_named(name: str, encoding: str, tmp_path: Path) -> None:
    content, read = READERS[name]
    (tmp_path / name).write_bytes(f"\ufeff{content.decode()}".encode(encoding))
    with pytest.raises(CyclometerError, match=f"{name} is UTF-16; save it as UTF-8"):
        read(tmp_path / name)


def test_what_a_marked_source_includes_is_known(tmp_path: Path) -> None:
    """Otherwise the cache would not notice that the header has changed."""
    (tmp_path / "first.h").write_text("int x;")
    source = tmp_path / "a.c"
    source.write_bytes(codecs.BOM_UTF8 + b'#include "first.h"\n')
    assert any("first.h" in part for part in Includes().closure(source, (), ()))
