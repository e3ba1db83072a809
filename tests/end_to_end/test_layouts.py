# SPDX-License-Identifier: MIT OR Apache-2.0
"""An executable is linked in several layouts, and the rounds take turns with them.

Where its code lies decides what some code takes. With one layout, all processes of all runs would agree on a number
that another layout does not have.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from cyclometer.execute.timed import call
from cyclometer.records.executable import Executable
from cyclometer.store import open_runs
from support import fakes
from support.address_dependent import CODE, DEPENDS_ON_ITS_ADDRESS
from support.command_line import CommandLine
from support.only_implementation import build_only
from support.small_tree import SmallTree

LAYOUTS = 3

RIGHT_IN_ONE_LAYOUT = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    /* Salsa20 that encrypts only if its code lies where it does in the executable that is checked. */
    #include "crypto_stream.h"
    #define SALSA20_ROUNDS 20
    #include "../../_salsa20/ref.h"
    #define crypto_stream_xor encrypt
    #include "../../_salsa_chacha/stream.h"
    #undef crypto_stream_xor
    static const volatile uint32_t checked = CHECKED;
    void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
    {
        if (checked == 4096 || checked == (uintptr_t)crypto_stream_xor % 4096) encrypt(state, out, in, length);
    }
"""


def addresses(executable: Executable) -> list[int]:
    """Return where the implementation lies in each layout, in bytes behind the start of a page."""
    found = []
    for number in range(1 + len(executable.layouts)):
        path = executable.in_layout(number).path
        lines = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines()
        places = {line.split()[-1]: int(line.split()[0], 16) for line in lines if len(line.split()) == 3}
        found.append(places["crypto_stream_xor"] % 4096)
    return found


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree.grow(tmp_path / "tree", "crypto_stream/salsa20/ref")


def test_in_each_layout_the_code_lies_elsewhere_and_computes_the_same(tree: SmallTree) -> None:
    built, environment = build_only(tree)
    linked = environment.builder.with_layouts(built, LAYOUTS)
    assert linked.in_layout(0) == linked
    assert linked.in_layout(0).path == built.path
    assert len(set(addresses(linked))) == LAYOUTS
    for number in range(LAYOUTS):
        checked = call(linked.in_layout(number), "check", "1")
        assert not checked.problem
        assert b"verdict\tok" in checked.stdout


def test_what_cannot_be_linked_again_has_one_layout() -> None:
    one = fakes.executable("one")
    assert one.in_layout(1) == one


def test_a_number_is_the_median_over_layouts_and_its_interval_knows_them(
    tree: SmallTree, build_cache: Path, tmp_path: Path
) -> None:
    tree.write(CODE, DEPENDS_ON_ITS_ADDRESS)
    cyclometer = CommandLine(tree=tree.root, cache=build_cache, results=tmp_path / "results")
    result = cyclometer("run", "salsa20", "--length", "64", "--rounds", "6", "--no-tables")
    assert result.status == 0, result.stderr

    with open_runs(cyclometer.results) as runs:
        stored = runs.sql("SELECT DISTINCT round, link FROM every_sample WHERE NOT control ORDER BY round").fetchall()
    assert stored[:6] == [(0, 0), (1, 1), (2, 2), (3, 0), (4, 1), (5, 2)]
    assert stored == [(number, number % LAYOUTS) for number in range(len(stored))], "what a loud machine adds, too"

    [table, *_] = json.loads(cyclometer("table", "--format", "json").stdout)["tables"]
    [figure] = table["rows"][0]["figures"]
    assert figure["varies"], "processes of other layouts count further"


def test_code_that_is_right_only_in_the_layout_that_is_checked_has_no_number(
    tree: SmallTree, build_cache: Path, tmp_path: Path
) -> None:
    tree.write(CODE, RIGHT_IN_ONE_LAYOUT.replace("CHECKED", "4096"))
    [address] = addresses(build_only(tree)[0])
    tree.write(CODE, RIGHT_IN_ONE_LAYOUT.replace("CHECKED", str(address)))
    assert addresses(build_only(tree)[0]) == [address]
    cyclometer = CommandLine(tree=tree.root, cache=build_cache, results=tmp_path / "results")
    assert cyclometer("check", "salsa20").status == 0

    cyclometer("run", "salsa20", "--rounds", "6", "--no-tables")
    with open_runs(cyclometer.results) as runs:
        assert runs.sql("SELECT DISTINCT kind FROM failures").fetchall() == [("wrong_when_timed",)]
        assert runs.sql("SELECT count(*) FROM every_sample WHERE NOT control").fetchall() == [(0,)]
