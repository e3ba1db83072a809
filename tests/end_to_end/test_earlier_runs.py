# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run stores what earlier runs on this machine measured of the same programs, and its intervals know it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer import campaign
from cyclometer.store import open_runs
from support import fakes
from support.command_line import CommandLine
from support.small_tree import SmallTree

POINT = ("encrypt", 576, 0, 1, 0)
FAR_APART = (1e6, 2e6, 3e6, 4e6)  # cycles; no machine's noise comes near


def test_intervals_reach_as_far_as_earlier_runs_lie_apart(
    tmp_path: Path, unchanged_tree: SmallTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    cyclometer = CommandLine(tree=unchanged_tree.root, cache=tmp_path / "cache", results=tmp_path / "results")
    arguments = ("run", "aes-128-gcm", "--rounds", "3", "--length", "576", "--no-tables", "--name")
    assert cyclometer(*arguments, "first").status == 0

    monkeypatch.setenv("CYCLOMETER_CACHE", str(cyclometer.cache))
    known = campaign.earlier_runs(campaign.prepare_environment(cyclometer.tree))
    of_system = fakes.executable("ref").subject
    of_system = replace(of_system, operation="crypto_aead", primitive="aes-128-gcm")
    for program in cyclometer.cache.glob("??/*.exe"):  # one of these is the one that was measured
        for cycles in FAR_APART:
            known.add(replace(fakes.executable("ref"), subject=of_system, path=program), {POINT: cycles})

    assert cyclometer(*arguments, "second").status == 0
    with open_runs(cyclometer.results, ["second"]) as runs:
        stored = runs.sql(
            "SELECT cycles FROM earlier WHERE measure = 'encrypt' AND length = 576 AND runs_ago <= 4 "
            "ORDER BY runs_ago DESC"
        ).fetchall()
    assert [cycles for (cycles,) in stored] == list(FAR_APART)

    caption = cyclometer("table", "--run", "second", "--verbose").stdout
    assert "earlier runs lie apart" in " ".join(caption.split())
    [table, *_] = json.loads(cyclometer("table", "--run", "second", "--format", "json").stdout)["tables"]
    [figure] = table["rows"][0]["figures"]
    low, high = figure["interval"]
    assert low == 0
    assert high > 2e6, "Student's t times their standard deviation is 4.1 million cycles"
    assert figure["varies"]
    assert figure["value"] < 1e6, "the number itself is that of the run"
