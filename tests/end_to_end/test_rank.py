# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer rank` as a user types it: what is missing is measured, once, and the mix is replayed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cyclometer.store import list_runs, open_runs
from support.command_line import CommandLine, Result
from support.small_tree import SmallTree

WORKLOAD = """
    # SPDX-License-Identifier: MIT OR Apache-2.0
    title = "t"
    source = "s"
    [packets]
    histogram = { 40 = 3, 200 = 1 }
    [keys]
    active = 8
    order = "bursts of 4"
    [mix]
    encrypt = 0.5
    forged = 0.5
    """


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> tuple[CommandLine, Result]:
    """Rank two AEADs that have not been measured."""
    base = tmp_path_factory.mktemp("rank")
    tree = SmallTree.grow(
        base / "tree",
        *("crypto_stream/salsa20/ref", "crypto_onetimeauth/poly1305/ref", "crypto_aead/salsa20-poly1305"),
        "crypto_aead/aes-128-gcm/ref",
    )
    tree.write("workloads/mine.toml", WORKLOAD)
    command = CommandLine(tree=tree.root, cache=build_cache, results=base / "results")
    return command, command("rank", "mine", "--rounds", "2", "--format", "json")


def rows(result: Result) -> dict[str, dict[str, Any]]:
    assert result.status == 0, result.stderr
    table = json.loads(result.stdout)["tables"][0]
    labels = [column["label"] for column in table["columns"]]
    return {row["primitive"]: dict(zip(labels, row["figures"], strict=True)) for row in table["rows"]}


def measured(command: CommandLine) -> Iterator[tuple[str, int, int]]:
    """Yield (measure, length, keys) of everything but the empty call."""
    with open_runs(command.results, everything=True) as connection:
        yield from connection.sql(
            "SELECT DISTINCT measure, length, keys FROM samples WHERE measure <> 'empty' ORDER BY ALL"
        ).fetchall()


def test_both_systems_have_a_cost_and_a_replay(ranked: tuple[CommandLine, Result]) -> None:
    found = rows(ranked[1])
    assert set(found) == {"aes-128-gcm", "salsa20-poly1305"}
    for figures in found.values():
        assert figures["cost"]["value"] > 0
        assert 0.2 < figures["replay/model"]["value"] < 5  # a mistake in units or weights would be beyond
        assert figures["code bytes"]["value"] > 0


def test_only_the_points_of_the_workload_are_measured(ranked: tuple[CommandLine, Result]) -> None:
    points = list(measured(ranked[0]))
    plain = {(m, n, k) for m, n, k in points if not m.startswith("replay-")}
    packets = {(m, n, k) for m in ("encrypt", "decrypt", "reject") for n in (40, 200) for k in (1, 8)}
    assert plain == {*packets, ("expandkey", 0, 1)}
    replayed = {(m.rpartition("-")[2], n, k) for m, n, k in points if m.startswith("replay-")}
    assert replayed == {(m, n, 8) for m in ("encrypt", "decrypt", "reject") for n in (40, 200)}


def test_the_second_time_nothing_is_measured(ranked: tuple[CommandLine, Result]) -> None:
    command, first = ranked
    again = command("rank", "mine", "--format", "json")
    assert rows(again) == rows(first)
    assert len(list_runs(command.results)) == 1


def test_one_more_length_is_all_that_another_workload_adds(ranked: tuple[CommandLine, Result]) -> None:
    command, _ = ranked
    before = set(measured(command))
    file = command.tree / "other.toml"
    file.write_text(WORKLOAD.replace("200 = 1", "200 = 1, 100 = 2"))
    assert rows(command("rank", str(file), "--rounds", "2", "--no-replay", "--format", "json"))
    added = set(measured(command)) - before
    assert added == {(m, 100, k) for m in ("encrypt", "decrypt", "reject") for k in (1, 8)}


def test_several_workloads_are_replayed_in_one_run(ranked: tuple[CommandLine, Result]) -> None:
    command, _ = ranked
    files = []
    for name, weight, order in (("light", 9, "zipf 1.0"), ("heavy", 2, "round-robin")):
        text = WORKLOAD.replace("200 = 1", f"200 = {weight}").replace("bursts of 4", order)
        files.append(command.tree / f"{name}.toml")
        files[-1].write_text(text)
    before = len(list_runs(command.results))
    result = command("rank", *files, "--rounds", "2", "--format", "json")
    assert set(rows(result)) == {"aes-128-gcm", "salsa20-poly1305"}
    assert len(list_runs(command.results)) == before + 1
    assert {table["view"] for table in json.loads(result.stdout)["tables"]} == {"rank", "rank-parts", "rank-regret"}


def test_the_tables_of_such_a_run_can_be_printed(ranked: tuple[CommandLine, Result]) -> None:
    result = ranked[0]("table", "--all", "--by", "length", "--measure", "encrypt")
    assert result.status == 0, result.stderr
    assert "replay" not in result.stdout
    folder = ranked[0].results.parent / "site"
    assert ranked[0]("report", "-o", str(folder)).status == 0
    shown = re.findall(r'"measures":\[(.*?)\]', (folder / "data" / "catalogue.js").read_text())
    assert shown
    assert "replay" not in "".join(shown)


def test_a_system_that_fails_its_checks_is_left_out_with_the_reason(ranked: tuple[CommandLine, Result]) -> None:
    command, _ = ranked
    SmallTree(command.tree).write(
        "primitives/crypto_aead/broken/primitive.toml",
        'description = "d"\nkey_bytes = 16\nnonce_bytes = 12\ntag_bytes = 16\nassociated_data = true\n',
    )
    SmallTree(command.tree).write("primitives/crypto_aead/broken/ref/aead.c", "#error it does not compile\n")
    result = command("rank", "mine", "--rounds", "1", "--format", "json")
    assert set(rows(result)) == {"aes-128-gcm", "salsa20-poly1305"}
    [reason] = [note for note in json.loads(result.stdout)["notes"] if note.startswith("broken")]
    assert "not measured" in reason


def test_a_ranking_is_drawn(ranked: tuple[CommandLine, Result]) -> None:
    file = ranked[0].results.parent / "ranking.svg"
    result = ranked[0]("rank", "mine", "--stored", "--plot", file)
    assert result.status == 0, result.stderr
    assert str(file) in result.stderr
    root = ElementTree.parse(file).getroot()
    assert root.tag.endswith("svg")
    comments = " ".join(re.findall("<!-- (.*?) -->", file.read_text()))  # matplotlib notes each text beside its shapes
    for text in ("aes-128-gcm", "salsa20-poly1305", "bits left", "encrypt", "expandkey"):
        assert text in comments


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["mine", "--plot", "ranking.bmp"], ("unknown format 'bmp'",)),
        (["imxi"], ("unknown workload 'imxi'",)),
        (["mine", "--as-of", "yesterday"], ("--as-of 'yesterday' is not a date",)),
        (["mine", "--system", "poly1305"], ("poly1305", "no AEAD")),
        (["mine", "--trace", "nowhere.pcap"], ("nowhere.pcap", "No such file")),
        (["mine", "--stored", "--machine", "elsewhere"], ("no run of elsewhere",)),
        (["mine", "--format", "xml"], ("unknown format 'xml'",)),
        (
            ["mine", "--keys", "77", "--stored"],
            ("every system is excluded (", "measured, but not", "without --stored, `rank` measures"),
        ),
    ],
)
def test_bad_input_is_one_line(
    ranked: tuple[CommandLine, Result], arguments: list[str], parts: tuple[str, ...]
) -> None:
    ranked[0]("rank", *arguments).complains(*parts)


def test_pairs_are_estimated_by_their_parts_and_the_best_are_measured(ranked: tuple[CommandLine, Result]) -> None:
    """The tree has one stream and one authenticator: `salsa20+poly1305` is declared, the other form is not."""
    command = ("rank", "mine", "--pairs", "--rounds", "2", "--no-replay", "--format", "json")
    result = ranked[0](*command)
    assert "salsa20+poly1305-onetime" in rows(result)
    [table] = [table for table in json.loads(result.stdout)["tables"] if table["view"] == "rank-pairs"]
    [row] = table["rows"]
    estimated, measured, *_ = (figure["value"] for figure in row["figures"])
    assert 0.2 < measured / estimated < 5  # a mistake in lengths or weights would be beyond
    before = len(list_runs(ranked[0].results))
    assert rows(ranked[0](*command)) == rows(result)
    assert len(list_runs(ranked[0].results)) == before
