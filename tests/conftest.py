# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fixtures for all tests; the helper modules are in support/."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support import surroundings  # first: the others ask where temporary files are
from support.command_line import CommandLine
from support.small_tree import PLANTED, SmallTree


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus: int) -> None:
    """Remove all temporary files; those of tests that failed stay until the next call of pytest."""
    if exitstatus != pytest.ExitCode.TESTS_FAILED:
        surroundings.remove_files()


@pytest.fixture(scope="session", autouse=True)
def build_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one build cache for all tests and all xdist workers; entries are named by content and added whole.

    $CYCLOMETER_CACHE keeps it from one call of pytest to the next.
    """
    if "CYCLOMETER_CACHE" not in os.environ:
        base = tmp_path_factory.getbasetemp()
        base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
        os.environ["CYCLOMETER_CACHE"] = str(base / "build-cache")
    return Path(os.environ["CYCLOMETER_CACHE"]).resolve()


@pytest.fixture(scope="session", autouse=True)
def own_measuring_core() -> None:
    """Let each xdist worker measure on another core: a campaign does on the last one it may use."""
    cores = sorted(os.sched_getaffinity(0))
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    os.sched_setaffinity(0, cores[: len(cores) - number % len(cores)])


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    """Grow a tree of Salsa20, Poly1305 and AES-128-GCM, each with only its `ref`, for a test that changes it."""
    return SmallTree.grow(tmp_path / "tree", *PLANTED)


@pytest.fixture(scope="session")
def unchanged_tree(tmp_path_factory: pytest.TempPathFactory) -> SmallTree:
    """Grow the same tree once for all tests that do not ask for `tree`."""
    return SmallTree.grow(tmp_path_factory.mktemp("unchanged") / "tree", *PLANTED)


@pytest.fixture
def cyclometer(
    request: pytest.FixtureRequest, tmp_path: Path, unchanged_tree: SmallTree, build_cache: Path
) -> CommandLine:
    """Return the command with its own results folder.

    It is on the tree that the test asks for or its module grows, or else on the unchanged one.
    """
    own = "tree" in request.fixturenames or hasattr(request.module, "tree")
    tree = request.getfixturevalue("tree") if own else unchanged_tree
    return CommandLine(tree=tree.root, cache=build_cache, results=tmp_path / "results")
