# SPDX-License-Identifier: MIT OR Apache-2.0
"""A foreign tree comes to a machine in pieces, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from cyclometer.errors import StorageFailed
from support.foreign_tree import GOOD_VERIFY, ForeignTree

foreign = pytest.importorskip("cyclometer.fleet.foreign", reason="pip install 'cyclometer[fleet]'")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ForeignTree:
    """Return a tree with links: one inside it that is absolute, one that leads out."""
    monkeypatch.setenv("CYCLOMETER_CACHE", str(tmp_path / "cache"))
    tree = ForeignTree(tmp_path / "theirs")
    source = tree.write("crypto_verify/16/mine/verify.c", GOOD_VERIFY)
    (source.parent / "inside.c").symlink_to(source)
    (source.parent / "outside").symlink_to("/etc/hostname")
    return tree


def arrive(tree: ForeignTree) -> tuple[object, str]:
    """Take all pieces, the last one first and twice; remove the original. Return the image and the archive's digest."""
    image = foreign.TreeImage.of(str(tree.root / "crypto_verify"))
    with foreign.packed(image.root) as (archive, sha256):
        content = archive.read()
    size = 100
    starts = [*range(0, len(content), size)]
    for start in (starts[-1], *reversed(starts)):
        foreign.take_piece(image, start, content[start : start + size])
    assert hashlib.sha256(content).hexdigest() == sha256
    return image, sha256


def test_a_machine_that_sees_the_tree_uses_it_in_place(tree: ForeignTree) -> None:
    image = foreign.TreeImage.of(str(tree.root / "crypto_verify"))
    assert foreign.found_there(image) == str(tree.root / "crypto_verify")
    source = tree.root / "crypto_verify/16/mine/verify.c"
    os.utime(source, (1, 1))
    assert foreign.found_there(image) == "", "another file is there"


def test_pieces_may_come_twice_and_in_any_order(tree: ForeignTree) -> None:
    image, sha256 = arrive(tree)
    shutil.rmtree(tree.root)
    part = Path(foreign.unpack(image, sha256))
    assert part == Path(foreign.unpack(image, sha256)), "a step that is done again"
    assert foreign.found_there(image) == str(part)
    assert part.parts[-2:] == ("theirs", "crypto_verify")
    assert (part / "16/mine/inside.c").read_text(encoding="utf-8") == GOOD_VERIFY
    assert sorted(os.listdir(part / "16/mine")) == ["api.h", "inside.c", "verify.c"]


def test_what_is_not_what_was_sent_is_not_unpacked(tree: ForeignTree) -> None:
    image, sha256 = arrive(tree)
    shutil.rmtree(tree.root)
    foreign.take_piece(image, 0, b"other")
    with pytest.raises(StorageFailed, match="what arrived of the tree is not what was sent"):
        foreign.unpack(image, sha256)
    assert foreign.found_there(image) == ""
