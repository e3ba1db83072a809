# SPDX-License-Identifier: MIT OR Apache-2.0
"""The kinds of failure are one list: in C, in Python and in the documents."""

from __future__ import annotations

import re

from cyclometer.records.failure import FailureKind
from support.small_tree import REPOSITORY

IN_C = re.findall(
    r'^KIND\((\w+), "(.+)"\)$', (REPOSITORY / "harness/api/failure_kinds.def").read_text(encoding="utf-8"), re.MULTILINE
)


def test_c_and_python_have_the_same_kinds() -> None:
    assert [name for name, _ in IN_C] == list(FailureKind.__members__)


def test_every_kind_is_documented_as_the_list_explains_it() -> None:
    table = re.findall(
        r"^\| `(\w+)` \| (.+) \|$", (REPOSITORY / "docs/formats.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {name.lower(): meaning for name, meaning in IN_C}.items() <= dict(table).items()


def test_every_failure_of_the_harness_names_a_kind() -> None:
    kinds = {name for name, _ in IN_C}
    used = {
        kind
        for folder in ("harness", "operations", "adapters")
        for path in (REPOSITORY / folder).rglob("*.[ch]")
        for kind in re.findall(r"\bharness_fail\((\w+),\s+\"", path.read_text(encoding="utf-8"))
    }
    assert used <= kinds
    assert len(used) > 15, "the calls are found"
