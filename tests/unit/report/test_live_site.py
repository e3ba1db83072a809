# SPDX-License-Identifier: MIT OR Apache-2.0
"""The live report rests between builds during a run, so that it disturbs little, and shows a finished run at once."""

from __future__ import annotations

from pathlib import Path

from cyclometer.cli._site import site_data_of
from cyclometer.report.site.server import LiveSite
from cyclometer.store import select_runs
from support.synthetic import process, run_info, write_run


def test_a_finished_run_is_shown_without_a_rest(tmp_path: Path) -> None:
    write_run(tmp_path, run_info(), [process("hare", cycles={("encrypt", 40): 300.0})])
    states = [("half of it", True), ("most of it", True), ("all of it", False), ("all of it", False)]
    results = iter(states)
    live = LiveSite(lambda: (*next(results), site_data_of(select_runs(tmp_path))), tmp_path / "site", print)
    assert [live.refresh() for _ in states] == [True, False, True, False]
    assert "hare" in (live.site(live.version) / "systems.html").read_text(encoding="utf-8")
