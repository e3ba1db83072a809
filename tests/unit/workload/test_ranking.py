# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rankings of synthetic runs with known costs."""

from __future__ import annotations

import csv
import datetime
import io
import json
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cyclometer.cli import main
from cyclometer.records.run import Size
from cyclometer.workload import Workload
from cyclometer.workload.model import model_terms, replay_terms
from support.small_tree import SmallTree
from support.synthetic import process, run_info, sample, subject, write_run

ENCRYPT, DECRYPT, REJECT, EXPAND = 2.0, 3.0, 0.5, 500.0
FIXED = {"aes-128-gcm": 100, "salsa20-poly1305": 300, "aes-256-gcm": 300, "salsa20-8-poly1305": 301}
KEYS = 64  # of which each costs a cycle

Rank = Callable[..., "Done"]


class Done:
    """The result of a call."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def notes(self) -> str:
        return "\n".join(json.loads(self.out)["notes"])

    def table(self, view: str = "rank") -> dict[str, dict[str, Any]]:
        """Map each system to the figures of its row by column."""
        table = next(t for t in json.loads(self.out)["tables"] if t["view"] == view)
        labels = [column["label"] for column in table["columns"]]
        return {row["label"]: dict(zip(labels, row["figures"], strict=True)) for row in table["rows"]}


def cost(name: str, measure: str, length: int, ad: int, keys: int) -> float:
    if measure == "expandkey":
        return EXPAND
    per_byte = {"encrypt": ENCRYPT, "decrypt": DECRYPT, "reject": REJECT}[measure]
    return FIXED[name] + per_byte * (length + ad) + (keys if keys > 1 else 0)


def rows(name: str) -> list[Mapping[str, Any]]:
    points = [(n, ad, keys) for n in (40, 576, 1500) for ad in (0, 8) for keys in (1, KEYS)]
    taken = [
        sample(measure, cost(name, measure, n, ad, keys), n, ad_length=ad, keys=keys)
        for measure in ("encrypt", "decrypt", "reject")
        for n, ad, keys in points
    ]
    return [sample("empty", 0), sample("expandkey", EXPAND), *taken]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> SmallTree:
    """Grow a tree that declares the systems; nothing in it is built."""
    stream = [f"crypto_stream/{name}" for name in ("salsa20", "salsa20-8")]
    return SmallTree.grow(
        tmp_path_factory.mktemp("rank") / "tree",
        *(f"crypto_aead/{name}" for name in (*FIXED, "rc4-poly1305")),
        *(*stream, "crypto_stream/rc4", "crypto_onetimeauth/poly1305"),
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    info = run_info()
    processes = [process(name, rows(name), round=number, info=info) for name in FIXED for number in range(3)]
    processes += [process("aes-128-gcm", rows("aes-128-gcm"), round=n, info=info, control=True) for n in range(3)]
    sizes = [Size(subject=subject(name), name="code_bytes", value=100 * len(name)) for name in FIXED]
    write_run(folder, info, processes, sizes=sizes)
    return folder


@pytest.fixture
def rank(
    tree: SmallTree,
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Rank:
    """Rank the stored systems for a workload file of that text."""
    monkeypatch.setenv("CYCLOMETER_TREE", str(tree.root))

    def call(text: str, *arguments: str, folder: Path = results) -> Done:
        file = tmp_path / "load.toml"
        file.write_text(f'title = "t"\nsource = "s"\n{text}', encoding="utf-8")
        usual = ["--stored", "--no-replay", "--machine", "box", "--results", str(folder), "--format", "json"]
        monkeypatch.setattr(sys, "argv", ["cyclometer", "rank", str(file), *usual, *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Done(int(ended.value.code or 0), out, err)

    return call


ONE = "[packets]\nhistogram = { 576 = 1 }\n"
MIX = """
[packets]
histogram = { 40 = 7, 576 = 4, 1500 = 1 }
[keys]
active = 64
packets_per_key = 100
[mix]
encrypt = 0.6
forged = 0.1
"""


@pytest.mark.parametrize(
    ("mix", "measure"),
    [("encrypt = 1", "encrypt"), ("encrypt = 0", "decrypt"), ("encrypt = 0\nforged = 1", "reject")],
)
def test_one_length_and_one_key_cost_what_their_cell_does(rank: Rank, mix: str, measure: str) -> None:
    done = rank(f"{ONE}[keys]\npackets_per_key = 1_000_000_000\n[mix]\n{mix}\n")
    for name, figures in done.table().items():
        assert figures["cost"]["value"] == pytest.approx(cost(name, measure, 576, 0, 1), rel=1e-6)
        assert figures["cost"]["interval"] == pytest.approx([figures["cost"]["value"]] * 2)


def test_the_cost_is_the_sum_of_the_formula(rank: Rank) -> None:
    found = rank(MIX).table()
    mean = (7 * 40 + 4 * 576 + 1500) / 12
    for name, figures in found.items():
        per_byte = 0.6 * ENCRYPT + 0.4 * (0.9 * DECRYPT + 0.1 * REJECT)
        assert figures["cost"]["value"] == pytest.approx(FIXED[name] + KEYS + per_byte * mean + EXPAND / 100)


def test_what_the_cost_consists_of_is_shown(rank: Rank) -> None:
    done = rank(MIX)
    parts, total = done.table("rank-parts")["aes-128-gcm"], done.table()["aes-128-gcm"]["cost"]["value"]
    mean = (7 * 40 + 4 * 576 + 1500) / 12
    assert parts["expandkey %"]["value"] == pytest.approx(100 * EXPAND / 100 / total)
    shares = sum(parts[f"{name} %"]["value"] for name in ("encrypt", "decrypt", "reject", "expandkey"))
    assert shares == pytest.approx(100)
    flood = 0.6 * (100 + KEYS + ENCRYPT * mean) + 0.4 * (100 + KEYS + REJECT * mean) + EXPAND / 100
    assert parts["all forged"]["value"] == pytest.approx(flood)
    assert parts["one key"]["value"] == pytest.approx(total - KEYS)
    assert parts["per byte"]["value"] == pytest.approx(total / mean)
    assert parts["Gbit/s"]["value"] == pytest.approx(3e9 / total * mean * 8 / 1e9)


def test_equal_systems_tie_and_share_their_rank(rank: Rank) -> None:
    ranks = {name: (f["cost"]["rank"], f["cost"]["shares_rank"]) for name, f in rank(MIX).table().items()}
    assert ranks["aes-128-gcm"] == (1, False)
    assert ranks["salsa20-poly1305"] == ranks["aes-256-gcm"] == (2, True)
    assert ranks["salsa20-8-poly1305"][0] == 4


def test_a_system_without_the_points_is_excluded_with_the_reason(rank: Rank) -> None:
    assert "rc4-poly1305 excluded: not measured" in rank(MIX, "--system", "aes-128-gcm", "--system", "rc4*").notes


def test_a_workload_is_changed_by_options(rank: Rank) -> None:
    found = rank(MIX, "--keys", "1", "--forged", "1", "--encrypt", "0").table()["aes-128-gcm"]
    mean = (7 * 40 + 4 * 576 + 1500) / 12
    assert found["cost"]["value"] == pytest.approx(100 + REJECT * mean + EXPAND / 100)


def test_systems_without_associated_data_are_excluded_where_there_is_some(rank: Rank) -> None:
    done = rank(ONE + "ad = { 8 = 1 }\n")
    assert set(done.table()) == {"aes-128-gcm", "aes-256-gcm"}
    assert "salsa20-poly1305 excluded: takes no associated data" in done.notes
    assert done.table()["aes-128-gcm"]["cost"]["value"] == pytest.approx(100 + 2.5 * 584, abs=0.01)


@pytest.mark.parametrize(
    ("limits", "excluded", "reason"),
    [
        ("[limits]\ncode_bytes = 1100", {"salsa20-poly1305", "salsa20-8-poly1305"}, "code_bytes: 1,600, not 1,100"),
        ("[limits]\nconstant_time = true", {*FIXED}, "constant_time: not checked"),
        ("[security]\nbits = 129", {"aes-128-gcm", "aes-256-gcm"}, "bits: 78 of 129 left"),
        ('[security]\nmodel = "misuse-resistant"', {*FIXED}, "claims nothing if a nonce repeats"),
        ('[security]\nforgery = "2^-100"', {"salsa20-poly1305", "salsa20-8-poly1305"}, "over a key's life, not 2^-100"),
        ("[keys]\npackets_per_key = 1_000_000_000", {"aes-128-gcm", "aes-256-gcm"}, "more than 2^34.5 blocks"),
    ],
)
def test_a_limit_names_whom_it_excludes(rank: Rank, limits: str, excluded: set[str], reason: str) -> None:
    done = rank(f"{ONE}{limits}\n", "--system", "aes-*", "--system", "salsa20*")
    if excluded == {*FIXED}:
        assert done.status == 2
        assert reason in done.err
        assert len(done.err.splitlines()) == 1
        return
    assert {*FIXED} - {*done.table()} == excluded
    assert reason in done.notes


def test_an_attack_file_moves_exactly_the_systems_that_it_names(rank: Rank, tree: SmallTree) -> None:
    before = rank(MIX, "--system", "s*").table()
    file = tree.write(
        "primitives/crypto_stream/salsa20/attacks/new.toml",
        'who = ["N"]\nyear = 2099\nbreaks = "key recovery"\ncost = "c"\nremaining_bits = 33\ncitation = "u"\n'
        "published = 2099-05-01\n",
    )
    after = rank(MIX, "--system", "s*").table()
    then = rank(MIX, "--system", "s*", "--as-of", "2099-04-30").table()
    file.unlink()
    left = {name: (before[name]["bits left"]["value"], after[name]["bits left"]["value"]) for name in before}
    assert left == {"salsa20-poly1305": (256, 33), "salsa20-8-poly1305": (256, 256)}
    assert {name: figures["bits left"]["value"] for name, figures in then.items()} == {
        name: value for name, (value, _) in left.items()
    }


def test_a_day_leaves_out_what_was_not_published(rank: Rank) -> None:
    done = rank(MIX, "--as-of", "2005-06-01")
    assert set(done.table()) == {"salsa20-poly1305", "aes-128-gcm", "aes-256-gcm"}
    assert "salsa20-8-poly1305 excluded: published in 2006" in done.notes


def test_several_workloads_have_a_table_of_regrets(rank: Rank, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(f'title = "o"\nsource = "s"\n{ONE}[mix]\nencrypt = 1\n')
    done = rank(MIX, str(other))
    regret = done.table("rank-regret")
    assert regret["aes-128-gcm"]["regret"]["value"] == 1
    slow = regret["salsa20-poly1305"]
    assert slow["regret"]["value"] == pytest.approx(max(slow["load"]["value"], slow["other"]["value"]))


def test_other_formats_have_the_same_numbers(rank: Rank) -> None:
    expected = rank(MIX).table()
    lines = list(csv.DictReader(io.StringIO(rank(MIX, "--format", "csv").out)))
    costs = {line["primitive"]: float(line["value"]) for line in lines if line["column"] == "cost"}
    assert costs == pytest.approx({name: figures["cost"]["value"] for name, figures in expected.items()})
    assert "│ 1  │ aes-128-gcm" in rank(MIX, "--format", "terminal").out


def test_weights_add_up_to_one_packet() -> None:
    load = Workload(name="n", title="t", source="s", packets={(40, 0): 0.25, (80, 0): 0.75}, encrypt=0.3, forged=0.2)
    weights = [term.weight for term in model_terms(load) if term.name != "expandkey"]
    assert sum(weights) == pytest.approx(1)


def test_a_limit_of_constant_time_prefers_a_tuning_that_was_followed(rank: Rank, tmp_path: Path) -> None:
    """The newer run has another tuning of the same system, whose secrets nobody followed."""
    for run, implementation, followed in (("1-older", "plain", True), ("2-newer", "wide", False)):
        info = replace(run_info(), run=run)
        taken = [
            process("aes-128-gcm", rows("aes-128-gcm"), round=number, info=info, implementation=implementation)
            for number in range(3)
        ]
        own = replace(subject("aes-128-gcm"), implementation=implementation)
        write_run(tmp_path / "two", info, taken, sizes=[Size(subject=own, name="constant_time", value=1)] * followed)
    chosen = {
        text: json.loads(rank(ONE + text, folder=tmp_path / "two").out)["tables"][0]["rows"][0]["implementation"]
        for text in ("", "[limits]\nconstant_time = true\n")
    }
    assert list(chosen.values()) == ["wide", "plain"]


def scattered(name: str, by: Mapping[int, int], without: int) -> list[Mapping[str, Any]]:
    """Make the rows of a process that takes so many cycles more, by length, and lacks a length."""
    return [
        {**row, "series": [ticks + by.get(row["length"], 0) for ticks in row["series"]]}
        for row in rows(name)
        if row["length"] != without
    ]


def test_runs_are_pooled_in_the_order_in_which_they_started_whatever_they_are_called(
    rank: Rank, tmp_path: Path
) -> None:
    """The newer run lacks a length, so both are used. Its sizes count, and the same rounds are resampled."""
    name, found = "aes-128-gcm", []
    for names in (("1", "2"), ("before", "after")):
        folder = tmp_path / names[0]
        for number, run in enumerate(names):
            info = run_info(run=run, started=datetime.datetime(2026, 11, 20 + number, tzinfo=datetime.UTC))
            dice = random.Random(number)
            shifts = [{40: dice.randrange(1000), 576: dice.randrange(1000)} for _ in range(7 + number)]
            taken = [scattered(name, by, 1500 if number else -1) for by in shifts]
            size = Size(subject=subject(name), name="code_bytes", value=(2141, 2221)[number])
            parts = [process(name, each, round=n, info=info) for n, each in enumerate(taken)]
            write_run(folder, info, parts, sizes=[size])
        found.append(rank(MIX, folder=folder).table()[name])
    assert [figures["code bytes"]["value"] for figures in found] == [2221, 2221]
    assert found[0]["cost"]["interval"] == found[1]["cost"]["interval"]


def two_tunings(folder: Path, extra: Mapping[str, float], replayed: str = "") -> Path:
    """Write a run for each implementation, the newest last; packets take its `extra` cycles more than others."""
    load = Workload(name="n", title="t", source="s", packets={(576, 0): 1.0})
    for number, (implementation, more) in enumerate(extra.items()):
        info = replace(run_info(), run=f"{number}-{implementation}")
        packets = [
            sample(measure, cost("aes-128-gcm", measure, 576, 0, 1) + more, 576)
            for measure in ("encrypt", "decrypt", "reject")
        ]
        replays = [
            sample(str(term.point[0]), 1000 + more, 576) for term in replay_terms(load) if term.name != "expandkey"
        ]
        own = [sample("empty", 0), sample("expandkey", EXPAND), *packets, *(replays * (implementation == replayed))]
        taken = [process("aes-128-gcm", own, round=n, info=info, implementation=implementation) for n in range(3)]
        write_run(folder, info, taken)
    return folder


@pytest.mark.parametrize("extra", [{"fast": 0, "slow": 70}, {"slow": 70, "fast": 0}])
@pytest.mark.parametrize("replay", ["--replay", "--no-replay"])
def test_the_fastest_tuning_counts_not_the_newest(
    rank: Rank, tmp_path: Path, extra: Mapping[str, float], replay: str
) -> None:
    [row] = json.loads(rank(ONE, replay, folder=two_tunings(tmp_path / "two", extra)).out)["tables"][0]["rows"]
    assert row["implementation"] == "fast"
    assert rank(ONE, replay, folder=tmp_path / "two").table()["aes-128-gcm"]["cost"]["value"] == pytest.approx(
        FIXED["aes-128-gcm"] + 576 * (ENCRYPT + DECRYPT) / 2, rel=0.01
    )


@pytest.mark.parametrize("extra", [{"fast": 0, "slow": 70}, {"slow": 70, "fast": 0}])
def test_leaving_out_the_replay_chooses_no_other_tuning(rank: Rank, tmp_path: Path, extra: Mapping[str, float]) -> None:
    folder = two_tunings(tmp_path / "two", extra, replayed="slow")
    found = {}
    for replay in ("--replay", "--no-replay"):
        done = rank(ONE, replay, folder=folder)
        [row] = json.loads(done.out)["tables"][0]["rows"]
        parts = done.table("rank-parts")["aes-128-gcm"]
        found[replay] = (row["implementation"], parts["model"]["value"])
        assert (parts.get("replay") is not None) == (replay == "--replay")
    assert found["--replay"] == found["--no-replay"]
    assert found["--replay"][0] == "slow"


def test_a_system_that_was_not_replayed_is_ranked_by_the_model(rank: Rank, tmp_path: Path) -> None:
    folder = two_tunings(tmp_path / "two", {"fast": 0}, replayed="fast")
    info = replace(run_info(), run="9-other")
    write_run(folder, info, [process("aes-256-gcm", rows("aes-256-gcm"), round=n, info=info) for n in range(3)])
    replays = {
        name: figures["replay"] for name, figures in rank(ONE, "--replay", folder=folder).table("rank-parts").items()
    }
    assert replays["aes-128-gcm"]["value"] > 0
    assert replays["aes-256-gcm"] is None
