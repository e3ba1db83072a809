# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds the implementation of a tree that has only one, for tests of what an executable does when it is called."""

from __future__ import annotations

from cyclometer.campaign import Environment, prepare_environment
from cyclometer.records.executable import BuildRequest, Executable
from support.small_tree import SmallTree


def build_only(tree: SmallTree, *, is_timed: bool = False) -> tuple[Executable, Environment]:
    """Return the executable of the tree's only implementation and only compiler, and what it was built in.

    Unless it `is_timed`, it has no counter.
    """
    environment = prepare_environment(tree.root, "" if is_timed else "gcc")
    catalogue = environment.catalogue
    [primitive], [implementation] = catalogue.primitives.values(), catalogue.implementations
    [compiler] = catalogue.compilers
    request = BuildRequest(primitive=primitive, implementation=implementation, compiler=compiler)
    [built], failures = environment.builder.build([request])
    assert failures == []
    return built, environment
