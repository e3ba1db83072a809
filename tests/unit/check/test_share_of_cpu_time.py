# SPDX-License-Identifier: MIT OR Apache-2.0
"""Property tests with a share of their CPU time: the same fixed cases, fewer others, and a verdict that says so.

A run of all systems checks our own code so; `check` and smaller runs try all cases.
"""

from __future__ import annotations

import json
from pathlib import Path

from cyclometer.check import check_all
from cyclometer.check.cache import VerdictCache
from support.only_implementation import build_only
from support.small_tree import SmallTree

KEY = "crypto_sign/ml-dsa-44"
LITTLE = 0.02


def test_a_share_of_the_time_tries_fewer_cases_and_whoever_wants_all_has_them_tried(tmp_path: Path) -> None:
    built, environment = build_only(SmallTree.grow(tmp_path / "tree", f"{KEY}/ref"))
    catalogue = environment.catalogue
    primitive = catalogue.primitives[KEY]
    verdicts = VerdictCache(tmp_path / "verdicts", "this CPU")

    def outputs_after_a_check_with(share: float) -> int:
        passed, failures = check_all([built], catalogue, verdicts, share=share)
        assert (passed, failures) == ([built], [])
        count: int = json.loads(verdicts.get(built, primitive.vectors))["outputs"]["count"]
        return count

    few = outputs_after_a_check_with(LITTLE)
    many = outputs_after_a_check_with(1.0)
    assert few < many
    assert outputs_after_a_check_with(LITTLE) == many  # the verdict of all cases serves both
