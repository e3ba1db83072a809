# SPDX-License-Identifier: MIT OR Apache-2.0
"""Figures of documents that somebody adds: what is wrong is named with its file and line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cyclometer.discover.published import read_published
from cyclometer.errors import BadDeclaration
from support.small_tree import REPOSITORY


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("documents.toml", 'tables = ["enc', 'table = ["enc', "unknown key 'match.0.table'"),
        ("documents.toml", "[documents]", "[documents", "not valid TOML"),
        ("documents.toml", "# SPDX", "\ufeff\ufeff# SPDX", "not valid TOML"),
        ("figures.csv", ",0,1,1508,", ",0,1,nan,", "line 2: value 'nan' is not a number"),
        ("figures.csv", ",0,1,1508,", ",-1,1,1508,", "line 2: length '-1' is not a number"),
        ("figures.csv", ",0,1,1508,", ",0,1508,", "line 2 has 8 of 9 values"),
        ("machines.csv", ",MHz", ",GHz", "line 1: the columns must be document,machine,cpu,mode,MHz"),
        ("machines.csv", "x86,1343", "x86,\0", "MHz"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_in_one_line(file: str, old: str, new: str, complaint: str, tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "published", tmp_path / "published")
    changed = tmp_path / "published" / file
    text = changed.read_text(encoding="utf-8")
    assert old in text
    changed.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadDeclaration) as refused:
        read_published(tmp_path)
    assert str(refused.value).startswith(str(changed))
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)
