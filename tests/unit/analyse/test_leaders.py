# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which systems a plot shows if there are too many for it."""

from __future__ import annotations

from pathlib import Path

from cyclometer.analyse.leaders import leaders
from cyclometer.store import connect, list_runs
from support.synthetic import process, run_info, write_run


def test_leaders_are_those_ahead_somewhere_then_the_fastest_on_average(tmp_path: Path) -> None:
    cycles = {
        "short": {("encrypt", 0): 100, ("encrypt", 8192): 90_000},  # the fastest of all on short packets
        "long": {("encrypt", 0): 900, ("encrypt", 8192): 9_000},  # and on long ones
        "good": {("encrypt", 0): 200, ("encrypt", 8192): 10_000},
        "fair": {("encrypt", 0): 250, ("encrypt", 8192): 12_000},
        "slow": {("encrypt", 0): 9_000, ("encrypt", 8192): 90_000},
    }
    write_run(tmp_path, run_info(), [process(name, cycles=of) for name, of in cycles.items()])
    systems = {"crypto_aead": sorted(cycles)}
    with connect(list_runs(tmp_path)) as connection:
        assert leaders(connection, systems, 5) == (systems, [])
        kept, notes = leaders(connection, systems, 3, "encrypt")
    assert kept == {"crypto_aead": ["good", "long", "short"]}
    assert notes == ["crypto_aead: 3 of 5 systems drawn, the fastest; name others, or --top 5"]
