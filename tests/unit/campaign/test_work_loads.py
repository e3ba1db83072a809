# SPDX-License-Identifier: MIT OR Apache-2.0
"""Choices for another work load than the operation's own are kept apart from the usual ones."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cyclometer.campaign.candidate_timer import CandidateTimer
from cyclometer.choose.cache import ChoiceCache
from support import fakes

USUAL, SHORT = ("xor length=4096",), ("xor length=20",)


def test_a_choice_for_short_packets_is_no_incumbent_of_the_usual_one(tmp_path: Path) -> None:
    environment: Any = SimpleNamespace(
        native=None,
        catalogue=SimpleNamespace(operations={"crypto_stream": SimpleNamespace(choose_grid=USUAL, profiles={})}),
        cache=SimpleNamespace(folder=tmp_path),
        builder=SimpleNamespace(cpu="cpu"),
    )
    usual = CandidateTimer(environment, 1)
    short = CandidateTimer(environment, 1, work_loads={"crypto_stream": SHORT})
    other = CandidateTimer(environment, 1, work_loads={"crypto_aead": SHORT})
    key, chosen = "crypto_stream/salsa20", fakes.executable("wide").subject
    ChoiceCache(tmp_path, "cpu").put(key, USUAL, chosen, {})
    assert usual.incumbent(key) == other.incumbent(key)
    assert usual.incumbent(key) is not None
    assert short.incumbent(key) is None
