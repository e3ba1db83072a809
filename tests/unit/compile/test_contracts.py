# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two numbers compare only under the same contract: the API, the timed loops, and nothing else."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from cyclometer.analyse.estimate.comparability import comparable
from cyclometer.compile import contracts
from cyclometer.discover import discover
from support.small_tree import SmallTree
from support.synthetic import process, run_info, write_run


@pytest.fixture
def contract(tree: SmallTree) -> Callable[[], str]:
    """Return a function that computes the contract of crypto_stream in the tree as it is now."""

    def now() -> str:
        return contracts(tree.root, discover(tree.root).operations.values())["crypto_stream"]

    return now


TIMED = [
    "operations/crypto_stream/measure.c",
    "operations/crypto_stream/crypto_stream.h",
    "harness/runtime/samples.c",
    "harness/runtime/series.c",
    "harness/runtime/timed_calls.c",
    "harness/api/timing.h",
    "harness/runtime/reference.h",
]


@pytest.mark.parametrize("file", TIMED)
def test_a_change_of_what_is_timed_changes_the_contract(
    file: str, tree: SmallTree, contract: Callable[[], str]
) -> None:
    before = contract()
    (tree / file).write_text((tree / file).read_text() + "int changed;\n")
    assert contract() != before


@pytest.mark.parametrize("file", TIMED)
def test_a_change_of_comments_or_layout_keeps_the_contract(
    file: str, tree: SmallTree, contract: Callable[[], str]
) -> None:
    before = contract()
    (tree / file).write_text("// changed\n\n" + (tree / file).read_text().replace("    ", "\t") + "/* changed */\n")
    assert contract() == before


@pytest.mark.parametrize(
    "file",
    [
        "operations/crypto_stream/check.c",
        "operations/crypto_aead/measure.c",
        "primitives/crypto_stream/salsa20/ref/salsa20.c",
        "harness/runtime/records.c",
        "harness/runtime/series_check.c",
    ],
)
def test_a_change_of_anything_else_keeps_the_contract(file: str, tree: SmallTree, contract: Callable[[], str]) -> None:
    before = contract()
    (tree / file).write_text((tree / file).read_text() + "int changed;\n")
    assert contract() == before


def test_a_header_may_be_renamed(tree: SmallTree, contract: Callable[[], str]) -> None:
    """The macro of its include guard is renamed, too."""
    before = contract()
    for old, new in (("runtime/noise", "a_probe"), ("api/timing", "z_timed")):
        header = tree / f"harness/{old}.h"
        header.rename(header.with_stem(new))
        for folder in ("harness", "operations"):
            for file in [*(tree / folder).rglob("*.[ch]")]:
                text = file.read_text().replace(f'"{header.name}"', f'"{new}.h"')
                file.write_text(text.replace(f"{header.stem.upper()}_H", f"{new.upper()}_H"))
    assert contract() == before


def test_a_line_of_the_grid_matters_and_a_comment_beside_it_does_not(
    tree: SmallTree, contract: Callable[[], str]
) -> None:
    before = contract()
    file, line = "operations/crypto_stream/operation.toml", "xor length=1536 repetition=1-4"
    tree.change(file, f'["{line}"]', f'["{line.replace(" ", "  ")}"]  # changed')
    assert contract() == before
    tree.change(file, "xor  length=1536", "xor length=1537")
    assert contract() != before


@pytest.mark.parametrize(("line", "compare"), [("// changed", True), ("int changed;", False)])
def test_runs_before_and_after_an_edit_of_the_timed_loop(
    line: str, compare: bool, tree: SmallTree, contract: Callable[[], str], tmp_path: Path
) -> None:
    infos = []
    for day in (1, 2):
        info = run_info(
            run=f"2026-11-0{day}T21-00-00-quick",
            started=datetime.datetime(2026, 11, day, tzinfo=datetime.UTC),
            contracts={"crypto_stream": contract()},
        )
        write_run(tmp_path / "results", info, [process("salsa20", operation="crypto_stream", cycles={("xor", 64): 9})])
        infos.append(info)
        (tree / "harness/api/timing.h").write_text(f"{line}\n{(tree / 'harness/api/timing.h').read_text()}")
    scope, notes = comparable(infos, "crypto_stream")
    assert len(scope.infos) == (2 if compare else 1)
    assert compare or "under another contract" in notes[0]


def test_the_contract_does_not_depend_on_the_location_of_the_tree(tree: SmallTree, contract: Callable[[], str]) -> None:
    before = contract()
    moved = tree.root.with_name("elsewhere")
    tree.root.rename(moved)
    after = contracts(moved, discover(moved).operations.values())["crypto_stream"]
    assert after == before
