# SPDX-License-Identifier: MIT OR Apache-2.0
"""What an interrupted campaign left is read as it was written, or refused in one line that names the odd value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cyclometer.campaign import Options
from cyclometer.campaign.budget import FILE, Budgeted
from cyclometer.errors import CyclometerError, StorageFailed
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
