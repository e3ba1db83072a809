# SPDX-License-Identifier: MIT OR Apache-2.0
"""Code that is wrong in few of its calls does not pass, whatever its operation; one call of `check` tries all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import CommandLine, Result
from support.small_tree import SmallTree
from support.wrapped import Wrapped
from support.wrong_code import WRONG_CODE


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Result:
    folder = tmp_path_factory.mktemp("wrong")
    tree = SmallTree.grow(folder / "tree", *sorted({wrong.ref for wrong in WRONG_CODE}))
    tree.change("toolchains/gcc.toml", '["-O2"]', '["-O1"]')  # each has a copy of the right code to compile
    for wrong in WRONG_CODE:
        wrong.add_to(tree)
    cyclometer = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
    return cyclometer("check", *sorted({wrong.system for wrong in WRONG_CODE}), "--format", "json")


@pytest.mark.parametrize("wrong", WRONG_CODE, ids=lambda wrong: wrong.name)
def test_wrong_code_does_not_pass(wrong: Wrapped, verdicts: Result) -> None:
    assert verdicts.kinds()[wrong.name] == wrong.kind, verdicts.reason(wrong.name)
    assert wrong.reason in verdicts.reason(wrong.name)


def test_the_code_that_they_wrap_passes(verdicts: Result) -> None:
    assert verdicts.right() == {"ref"}
