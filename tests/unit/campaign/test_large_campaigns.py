# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run of many systems tries less of each; there and in the first table, checks of our own code have less time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cyclometer.campaign.hot_paths import hot_paths
from cyclometer.campaign.options import Options
from cyclometer.campaign.plan import plan_for
from cyclometer.campaign.tune import OWN_CODE_SHARE, Tuner
from cyclometer.choose import DEFAULT, MAX_EXHAUSTIVE_SYSTEMS, REDUCED, Budget, Selection
from cyclometer.measure.schedule import MAX_ROUNDS
from cyclometer.records.catalogue import Primitive
from cyclometer.records.executable import Executable
from cyclometer.records.run import CALIBRATION
from support import fakes
from support.whole_tree import SilentProgress


def environment_of(systems: int) -> Any:
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
    profiles = {"quick": (7, ("hash length=0,576",))}
    operation = SimpleNamespace(choose_grid=(), profiles=profiles, default=True)
    operations = {"crypto_hash": operation, CALIBRATION: operation}
    catalogue = SimpleNamespace(primitives=primitives, operations=operations, implementations=[], asked=(), origin="")
    return SimpleNamespace(
        native=None,
        catalogue=catalogue,
        cache=SimpleNamespace(folder=Path()),
        builder=SimpleNamespace(cpu="cpu", catalogue=catalogue),
        is_timed=True,
    )


def tuner(systems: int, options: Options) -> Tuner:
    journal: Any = None
    return Tuner(environment_of(systems), options, journal, SilentProgress())


class BudgetOnly:
    """Chooses the first candidate of each system, and notes the budget."""

    def __init__(self) -> None:
        self.budget: Budget | None = None

    def learn_noise_floor(self, candidates: Sequence[Executable]) -> None:
        """Learn nothing."""

    def select(
        self,
        groups: Mapping[str, Sequence[Executable]],
        budget: Budget,
        selected: Callable[[str, Selection], None],
    ) -> None:
        """Time nothing."""
        self.budget = budget
        for key, group in groups.items():
            selected(key, Selection(winner=group[0], trials=[], failures=[], quiet={}))


def budget(systems: int, working: int, options: Options) -> Budget | None:
    """Return the budget with which as many systems as work are chosen."""
    chooser, timer = tuner(systems, options), BudgetOnly()
    chooser.timer = timer  # type: ignore[assignment]
    keys = list(chooser.environment.catalogue.primitives)[:working]
    assert len(chooser.choose({key: [fakes.executable(key)] for key in keys})) == working
    return timer.budget


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
    assert tuner(systems, options).check_share() == expected


MANY = MAX_EXHAUSTIVE_SYSTEMS + 1


def test_a_campaign_is_as_large_as_was_asked_for_whatever_fails() -> None:
    assert budget(MANY, MANY, ALL) == REDUCED
    assert budget(MANY, MANY - 1, ALL) == REDUCED
    assert budget(MANY - 1, MANY - 1, ALL) == DEFAULT


def test_in_a_large_campaign_nothing_is_stepped_through_whatever_fails() -> None:
    """The builder of this environment has no stepper."""
    executables = [fakes.executable("one")]
    plan = plan_for(environment_of(MANY), ALL)
    assert hot_paths(environment_of(MANY), ALL, plan, executables) == []
    with pytest.raises(AttributeError, match="stepper"):
        hot_paths(environment_of(MANY), replace(ALL, layouts=1), plan, executables)
    with pytest.raises(AttributeError, match="stepper"):
        hot_paths(environment_of(MANY - 1), ALL, plan, executables)


def test_all_compilers_widen_the_search_alone() -> None:
    options = replace(ALL, all_compilers=True)
    assert tuner(MANY, ALL).is_narrowed()
    assert not tuner(MANY, options).is_narrowed()
    assert budget(MANY, MANY, options) == REDUCED
    assert plan_for(environment_of(MANY), options).rounds == MAX_ROUNDS
    assert plan_for(environment_of(MANY - 1), options).rounds == 7
