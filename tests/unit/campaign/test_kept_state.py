# SPDX-License-Identifier: MIT OR Apache-2.0
"""What an interrupted campaign left is read as it was written, or refused in one line that names the odd value."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from cyclometer.campaign import Options
from cyclometer.campaign.budget import FILE, Budgeted, remember
from cyclometer.errors import CyclometerError, StorageFailed
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.synthetic import run_info

OPTIONS = Options(systems=("salsa20",), rounds=2, check_seconds=60, between=(4, 64))

ODD: list[tuple[dict[str, Any], str]] = [
    ({"rounds": "2"}, "rounds"),
    ({"systems": "salsa20"}, "systems"),
    ({"between": [None]}, "between"),
    ({"check_seconds": "2026-11-26"}, "check_seconds"),
    ({"keys": ["1"]}, "keys"),
    ({"colour": "red"}, "colour"),
    ({"seed": True}, "seed"),
    ({"rounds": 10**400}, "rounds"),  # a run of as many would never end
    ({"rounds": -1}, "rounds"),
]


def stored() -> dict[str, Any]:
    return dict(json.loads(json.dumps(OPTIONS.__dict__)))


def test_options_survive_being_stored() -> None:
    assert Options.of_run(run_info(plan={"options": stored()})) == OPTIONS


def test_options_of_an_older_version_lack_what_is_new() -> None:
    assert Options.of_run(run_info(plan={"options": {"systems": ["salsa20"]}})) == Options(systems=("salsa20",))


@pytest.mark.parametrize(("odd", "named"), ODD)
def test_an_option_of_another_kind_is_named(odd: dict[str, Any], named: str) -> None:
    with pytest.raises(StorageFailed, match=f"plan.options: {named}") as failed:
        Options.of_run(run_info(plan={"options": {**stored(), **odd}}))
    assert "start a new run" in str(failed.value)


def test_a_budget_survives_being_stored(tmp_path: Path) -> None:
    Budgeted(tmp_path / FILE, OPTIONS, [["crypto_stream/salsa20"], ["a", "b"]], begun=True, failed={"c": "why"}).store()
    again = Budgeted.resume(tmp_path)
    assert (again.options, again.waiting) == (OPTIONS, [["crypto_stream/salsa20"], ["a", "b"]])
    assert (again.begun, again.failed) == (True, {"c": "why"})


TWO = Options(systems=("crypto_stream/salsa20", "crypto_stream/salsa20-12"))


def order(results: Path, options: Options = TWO) -> list[str]:
    """Return the systems in the order in which a campaign within a time would measure them."""
    return [key for part in Budgeted.start(results, options).waiting for key in part]


def test_what_a_campaign_saw_is_kept_while_another_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Campaigns that end parts of one tree at the same time neither fail nor undo what the other has noted."""
    monkeypatch.setenv("CYCLOMETER_CACHE", str(tmp_path / "cache"))
    fork = multiprocessing.get_context("fork")
    names = [[f"crypto_stream/{number}-{each}" for each in range(100)] for number in range(4)]
    campaigns = [fork.Process(target=lambda part: [remember("", [key], 1.0) for key in part], args=(p,)) for p in names]
    for each in campaigns:
        each.start()
    remember("", ["crypto_stream/salsa20"], 900.0)
    for each in campaigns:
        each.join()
    assert [each.exitcode for each in campaigns] == [0] * 4
    remember("", ["crypto_stream/salsa20-12"], 1.0)
    assert order(tmp_path) == ["crypto_stream/salsa20-12", "crypto_stream/salsa20"]


def test_two_trees_of_one_name_have_their_own_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CYCLOMETER_CACHE", str(tmp_path / "cache"))
    one, other = tmp_path / "1/supercop", tmp_path / "2/supercop"
    for tree in (one, other):
        for size in (16, 32):
            ForeignTree(tree).write(f"crypto_verify/{size}/ref/verify.c", GOOD_VERIFY)
    remember(str(one), ["crypto_verify/16"], 900.0)
    remember(str(one), ["crypto_verify/32"], 1.0)
    systems = ("crypto_verify/16", "crypto_verify/32")
    assert order(tmp_path / "x", Options(systems=systems, tree=str(one))) == ["crypto_verify/32", "crypto_verify/16"]
    assert order(tmp_path / "y", Options(systems=systems, tree=str(other))) == ["crypto_verify/16", "crypto_verify/32"]


def test_a_cache_that_cannot_be_written_does_not_end_a_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file", encoding="ascii")
    monkeypatch.setenv("CYCLOMETER_CACHE", str(tmp_path / "cache"))
    campaign = Budgeted(tmp_path / FILE, OPTIONS, [["crypto_stream/salsa20"], ["a"]])
    campaign.finish_part("", 1.0)
    assert Budgeted.resume(tmp_path).waiting == [["a"]]


def test_a_campaign_that_is_not_at_its_end_is_not_replaced(tmp_path: Path) -> None:
    Budgeted(tmp_path / FILE, OPTIONS, [["a"]]).store()
    with pytest.raises(CyclometerError, match=r"is not at its end in .*--resume.* or remove .*\.budget\.json"):
        Budgeted.start(tmp_path, TWO)
    assert Budgeted.resume(tmp_path).waiting == [["a"]]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"waiting": 3}, "waiting"),
        ({"waiting": [[]]}, "waiting.0"),  # no system would mean the usual ones
        ({"waiting": [[["a"]]]}, "waiting.0.0"),
        ({"failed": [1]}, "failed"),
        ({"begun": "no"}, "begun"),
        ({"options": {**OPTIONS.__dict__, "seed": None}}, "options.seed"),
        ({"options": None}, "options"),
    ],
)
def test_a_damaged_budget_is_named(change: dict[str, Any], named: str, tmp_path: Path) -> None:
    state = {"options": stored(), "waiting": [["crypto_stream/salsa20"]], "begun": False, "failed": {}}
    (tmp_path / FILE).write_text(json.dumps({**state, **change}), encoding="utf-8")
    with pytest.raises(StorageFailed, match=f"{FILE}: {named}: .*; remove it and start anew"):
        Budgeted.resume(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe{\0}\0", b"[" * 100_000, b"\xef\xbb\xbf{}", b"null"])
def test_a_file_that_is_no_state_is_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(CyclometerError, match=FILE) as failed:
        Budgeted.resume(tmp_path)
    assert "\n" not in str(failed.value)
