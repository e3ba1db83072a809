# SPDX-License-Identifier: MIT OR Apache-2.0
"""TOML declarations: an unknown key is an error that suggests the nearest known one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.discover import schema, toml_files
from cyclometer.discover.native import read_operation
from cyclometer.errors import BadDeclaration, CyclometerError

PRIMITIVE = """
description = "an example"
key_bytes = 32
nonce_bytes = 8
"""
STREAM = schema.primitive_of(["key_bytes", "nonce_bytes"], ["stream", "mac"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "primitive.toml"


def complaint(file: Path, text: str, kind: type[schema.Declaration] = STREAM) -> str:
    """Return the error of reading a file with that text."""
    file.write_text(text)
    with pytest.raises(BadDeclaration) as caught:
        toml_files.read(kind, file)
    words = str(caught.value)
    assert words.startswith(f"{file}: ")
    assert "\n" not in words
    return words.removeprefix(f"{file}: ")


def test_a_valid_declaration_is_read(file: Path) -> None:
    file.write_text(PRIMITIVE + 'composition = "c"\nmac = "poly1305"\n')
    declared = toml_files.read(STREAM, file)
    assert declared.model_dump(exclude_defaults=True) == {
        "description": "an example",
        "key_bytes": 32,
        "nonce_bytes": 8,
        "composition": "c",
        "mac": "poly1305",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PRIMITIVE + "nonse_bytes = 8", "unknown key 'nonse_bytes'; did you mean 'nonce_bytes'?"),
        (PRIMITIVE + 'strem = "x"', "unknown key 'strem'; did you mean 'stream'?"),
        (PRIMITIVE + "zzzz = 1", "unknown key 'zzzz'"),
        (PRIMITIVE.replace("description", "desciption"), "unknown key 'desciption'; did you mean 'description'?"),
        ("key_bytes = 32", "key 'description': field required"),
        (PRIMITIVE.replace("32", '"32"'), "key 'key_bytes': input should be a valid integer"),
        (PRIMITIVE.replace("32", "-32"), "key 'key_bytes': input should be greater than or equal to 0"),
        ("description = ", "not valid TOML: "),
        ("description = 'x'\ndescription = 'y'", "not valid TOML: "),
    ],
)
def test_an_invalid_declaration_is_reported(text: str, message: str, file: Path) -> None:
    assert complaint(file, text).startswith(message)


def test_a_key_inside_a_table_is_reported_with_its_path(file: Path) -> None:
    text = """
    title = "x"
    sizes = {}
    choose = { grid = [] }
    [profiles.quick]
    rounds = 1
    gird = []
    """
    assert complaint(file, text, schema.Operation) == "unknown key 'profiles.quick.gird'; did you mean 'grid'?"


OPERATION = """
title = "x"
sizes = {}
choose = { grid = [] }
profiles = {}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[foreign]\nsizes = {}\nkat_feilds = []", "unknown key 'foreign.kat_feilds'; did you mean 'kat_fields'?"),
        ("[foreign]\ncycles = 'x'", "key 'foreign.sizes': field required"),
        ("[functions]\n_open = 'int f(void);'", "key 'functions._open': string should match pattern"),
    ],
)
def test_foreign_names_are_validated(text: str, message: str, file: Path) -> None:
    assert complaint(file, OPERATION + text, schema.Operation).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[foreign]\nsizes = {}", "[foreign] needs [functions]"),
        (
            "[functions]\n_open = 'int @(void);'\n[foreign]\nsizes = {}\nrequired_functions = ['_opne']",
            "unknown name in required_functions '_opne'; did you mean '_open'?",
        ),
    ],
)
def test_foreign_names_must_refer_to_declared_sizes_and_measures(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "operation.toml").write_text(OPERATION + text)
    with pytest.raises(CyclometerError) as caught:
        read_operation(tmp_path)
    assert message in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_an_absent_or_undecodable_file_is_reported(file: Path) -> None:
    with pytest.raises(BadDeclaration, match="no such file"):
        toml_files.read(STREAM, file)
    file.write_bytes(b"description = '\xff'")
    with pytest.raises(BadDeclaration, match=r"is not UTF-8 \(line 1\)"):
        toml_files.read(STREAM, file)
