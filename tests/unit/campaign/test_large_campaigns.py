# SPDX-License-Identifier: MIT OR Apache-2.0
"""In the first table and a run of many systems, checks of our own code have less time beyond the fixed cases."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cyclometer.campaign.options import Options
from cyclometer.campaign.tune import OWN_CODE_SHARE, Tuner
from cyclometer.choose import MAX_EXHAUSTIVE_SYSTEMS
from cyclometer.records.catalogue import Primitive


def share(systems: int, options: Options) -> float:
    primitives = {
        f"crypto_hash/sha{n}": Primitive(
            operation="crypto_hash",
            name=f"sha{n}",
            folder=Path(),
            associated_data=False,
            sizes={},
            vectors=(),
            facts={},
        )
        for n in range(systems)
    }
    operations = {"crypto_hash": SimpleNamespace(choose_grid=(), profiles={}, default=True)}
    catalogue = SimpleNamespace(primitives=primitives, operations=operations, implementations=[], asked=())
    environment: Any = SimpleNamespace(
        native=None,
        catalogue=catalogue,
        cache=SimpleNamespace(folder=Path()),
        builder=SimpleNamespace(cpu="cpu"),
        is_timed=True,
    )
    journal: Any = None
    return Tuner(environment, options, journal, journal).check_share()


ALL = Options(systems=("crypto_*",))


@pytest.mark.parametrize(
    ("systems", "options", "expected"),
    [
        (MAX_EXHAUSTIVE_SYSTEMS + 1, ALL, OWN_CODE_SHARE),
        (MAX_EXHAUSTIVE_SYSTEMS, ALL, 1.0),
        (MAX_EXHAUSTIVE_SYSTEMS, Options(), OWN_CODE_SHARE),
        (MAX_EXHAUSTIVE_SYSTEMS, Options(tree="their-tree"), 1.0),
        (MAX_EXHAUSTIVE_SYSTEMS + 1, Options(systems=("crypto_*",), tree="their-tree"), 1.0),
        (MAX_EXHAUSTIVE_SYSTEMS + 1, Options(systems=("crypto_*",), folders=("./mysha",)), 1.0),
    ],
    ids=["many systems", "few named ones", "the first table", "a small tree", "a large tree", "a folder beside"],
)
def test_only_our_own_code_that_nobody_named_has_less(systems: int, options: Options, expected: float) -> None:
    assert share(systems, options) == expected
