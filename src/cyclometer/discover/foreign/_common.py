# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sources that implementations of a tree share: those of its folder common/, and of folders that a makefile names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cyclometer.discover.foreign._tree import ForeignTree, included
from cyclometer.untrusted import is_folder, with_suffixes

_TEXTS = (".c", ".S", ".s", ".h", ".inc", ".macros")
_SUFFIXES = (".c", ".S", ".s")
_FROM_HARNESS = ("randombytes", "rng", "cpucycles")  # it provides these, whatever the tree has


def folder(tree: ForeignTree) -> Path | None:
    """Return the tree's folder common/ if it has one."""
    return tree.folder(tree.root / "common")


def sources(home: Path, own: Iterable[Path], folders: Sequence[Path], tree: ForeignTree) -> list[Path]:
    """Return the sources in the folders whose headers are included, and those of folders named by the Makefile.

    `own` are the implementation's sources, in whose include path `folders` follow its folder `home`.
    """
    if not folders:
        return []
    found = {path for common in folders if common.name == "common" for path in _named_by_makefile(home, common, tree)}
    pending, seen = [*own, *found], set[Path]()
    while pending:
        path = pending.pop()
        if path in seen or path.suffix not in _TEXTS:
            continue
        seen.add(path)
        for name in included(tree.content(path)):
            candidates = (near / name for near in (path.parent, home, *folders))
            pending += [target for target in candidates if tree.is_file(target)][:1]
        source = path.with_suffix(".c")
        if path.parent in folders and path.suffix == ".h" and path.stem not in _FROM_HARNESS and tree.is_file(source):
            found.add(source)
            pending.append(source)
    return sorted(found)


def _named_by_makefile(home: Path, common: Path, tree: ForeignTree) -> Iterator[Path]:
    """Yield the sources of keccak4x and similar folders, whose functions have no header in common/."""
    makefile = home / "Makefile"
    text = tree.text(makefile) if os.path.lexists(makefile) else ""
    for each in sorted(path for path in common.glob("*") if is_folder(path)):
        if f"common/{each.name}" in text:
            yield from (path for path in with_suffixes(each, _SUFFIXES) if tree.is_file(path))
