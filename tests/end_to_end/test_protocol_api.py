# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer protocol api`: what the interface around a primitive costs, one decision at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import CommandLine
from support.small_tree import SmallTree

SYSTEMS = ["aes-128-gcm", "aes", "sha-1"]

# What a stranger would add: a level with fifty calls in place of one.
FIFTY = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    #include "api.h"
    BASE("times", one, , , DIRECT(m->out, m->in, m->nonce, m->state));
    LEVEL("times", fifty, , , for (int i = 0; i < 50; i++) DIRECT(m->out, m->in, m->nonce, m->state));
"""

WRONG = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    #include "api.h"
    LEVEL("times", wrong, , , (DIRECT(m->out, m->in, m->nonce, m->state), m->out[3] ^= 1));
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> SmallTree:
    tree = SmallTree.grow(
        tmp_path_factory.mktemp("api") / "tree",
        *("crypto_aead/aes-128-gcm/ref", "crypto_blockcipher/aes/ref", "crypto_hash/sha-1/ref"),
    )
    tree.copy("protocols")
    tree.write("protocols/toggles/times.c", FIFTY)
    return tree


@pytest.fixture(scope="module")
def command(tree: SmallTree, build_cache: Path) -> CommandLine:
    return CommandLine(tree=tree.root, cache=build_cache, results=tree.root.parent / "results")


@pytest.fixture(scope="module")
def report(command: CommandLine) -> dict[str, Any]:
    result = command("protocol", "api", *SYSTEMS, "--payload", "45", "--rounds", "2", "--format", "json")
    assert result.status == 0, result.stderr
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def levels(report: dict[str, Any], toggle: str) -> dict[str, list[str]]:
    [table] = [table for table in report["tables"] if table["measure"] == toggle]
    found: dict[str, list[str]] = {}
    for row in table["rows"]:
        system, _, level = row["label"].partition(", ")
        found.setdefault(system, []).append(level)
    return found


def test_every_toggle_has_a_table(report: dict[str, Any], tree: SmallTree) -> None:
    files = {file.stem for file in (tree.root / "protocols/toggles").glob("*.c")}
    assert {table["measure"] for table in report["tables"]} == files


def test_each_level_stands_behind_the_base_of_its_toggle(report: dict[str, Any]) -> None:
    calls = levels(report, "call")
    assert list(calls) == SYSTEMS
    for found in calls.values():
        assert found[0] == "direct"
        assert set(found) == {"direct", "pointer", "table", "library", "inlined"}


def test_a_toggle_is_only_for_systems_that_it_makes_sense_for(report: dict[str, Any]) -> None:
    assert levels(report, "nonce") == {"aes-128-gcm": ["counter", "drawn"]}
    assert levels(report, "mode") == {"aes": ["cbc", "ctr", "ofb"]}
    assert levels(report, "blocks") == {"aes": ["by 1", "by 2"]}  # 45 bytes are three blocks
    assert "sha-1" not in levels(report, "schedule")
    assert "per block" in levels(report, "memory")["aes"]
    assert "per block" not in levels(report, "memory")["sha-1"]


def test_a_level_has_its_cycles_and_how_much_more_that_is(report: dict[str, Any]) -> None:
    [table] = [table for table in report["tables"] if table["measure"] == "times"]
    assert [column["label"] for column in table["columns"]] == ["45", "45: %"]
    rows = {row["label"]: row["figures"] for row in table["rows"]}
    for system in SYSTEMS:
        one, fifty = rows[f"{system}, one"], rows[f"{system}, fifty"]
        assert one[1] is None
        assert fifty[1]["value"] == pytest.approx(100 * (fifty[0]["value"] / one[0]["value"] - 1), rel=0.5)
        assert fifty[1]["value"] > 1000


def test_there_is_a_sentence_for_each_toggle(report: dict[str, Any]) -> None:
    assert any(note.startswith("times, 45 bytes, beside 'one': fifty +") for note in report["notes"])
    assert len(report["notes"]) == len(report["tables"])


def test_a_level_that_computes_something_else_is_not_measured(
    tree: SmallTree, command: CommandLine, report: dict[str, Any]
) -> None:
    wrong = tree.write("protocols/toggles/wrong.c", WRONG)
    result = command("protocol", "api", "sha-1", "--rounds", "1")
    wrong.unlink()
    assert result.status == 2
    assert "the result of times-wrong for 16 bytes: differs from that of a direct call" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("aes-128-gmc",), "did you mean 'aes-128-gcm'?"),
        (("--payload", "20000"), "--payload 20000 is out of range"),
        (("--transport", "tcp"), "leave out --transport"),
    ],
)
def test_bad_input_is_one_line(command: CommandLine, words: tuple[str, ...], message: str) -> None:
    command("protocol", "api", *words).complains(message)
