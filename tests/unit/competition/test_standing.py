# SPDX-License-Identifier: MIT OR Apache-2.0
"""When a rank of a competition counts, from runs with known costs."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from cyclometer.competition.files import Baseline, Competition, Dates
from cyclometer.competition.operate import ClassResult
from cyclometer.competition.repeat import judged
from cyclometer.competition.standing import Place, Standing, moved, standing
from cyclometer.records.catalogue import Primitive
from cyclometer.records.table import Context
from cyclometer.workload import Workload, needed_points, rank
from cyclometer.workload.costs import Headlines
from cyclometer.workload.coverage import Coverage
from cyclometer.workload.ranking import Material
from cyclometer.workload.workload import Requirement
from support.synthetic import subject

LOAD = Workload(name="only", title="t", source="s", packets={(64, 0): 1.0}, encrypt=1.0, security=Requirement(bits=64))
DAY = datetime.date(2026, 11, 24)
COMPETITION = Competition(
    folder=Path(),
    title="t",
    machines=("north", "south"),
    operators=2,
    dates=Dates(closes=DAY, publishes=DAY),
    baseline=Baseline(system="base", date=DAY),
    classes={"only": LOAD},
    submissions={"one": Path("one"), "two": Path("two")},
)


def result(
    operator: str, machine: str, costs: Mapping[str, float], bits: Mapping[str, int] | None = None
) -> ClassResult:
    """Return the result of a run in which encryption takes so many cycles, to within one."""
    primitives = {
        name: Primitive(
            operation="crypto_aead",
            name=name,
            folder=Path(),
            sizes={},
            associated_data=True,
            facts={"security_bits": (bits or {}).get(name, 128), "tag_bytes": 16, "attacks": []},
            vectors=(),
        )
        for name in costs
    }
    points = needed_points(LOAD, replay=False)
    material = Material(
        primitives=primitives,
        coverage={name: Coverage(tuning=subject(name), runs=(), missing=frozenset()) for name in costs},
        measured={
            name: {
                point: Headlines(values=cost * (point[0] == "encrypt") + np.array([-1.0, 0.0, 1.0]), disturbed=False)
                for point in points
            }
            for name, cost in costs.items()
        },
        sizes={},
        spread=None,
        failures={},
    )
    context = Context(
        machine=machine, cpu="", counter="", unit="core cycles", converted_from="", profile="", runs=(), overhead=None,
        spread=None,
    )  # fmt: skip
    ranking = rank(LOAD, material)
    return ClassResult(
        operator=operator, machine=machine, ranking=ranking, material=material, context=context, hertz=None
    )


def places(*results: ClassResult) -> dict[str, Place]:
    return {place.system: place for place in standing(COMPETITION, "only", results).places}


def test_a_rank_counts_when_two_operators_agree() -> None:
    found = places(
        result("ann", "north", {"one": 100, "two": 200, "base": 400}),
        result("ben", "south", {"one": 300, "two": 500, "base": 600}),
    )
    assert {name: (place.rank, place.shared, place.open) for name, place in found.items()} == {
        "one": (1, False, ()),
        "two": (2, False, ()),
        "base": (3, False, ()),
    }
    assert found["two"].mean == pytest.approx((2 * 5 / 3) ** 0.5)
    assert found["two"].of_baseline == pytest.approx((200 / 400 * 500 / 600) ** 0.5)


def test_operators_who_contradict_each_other_leave_the_rank_open() -> None:
    found = places(
        result("ann", "north", {"one": 100, "two": 200, "base": 400}),
        result("ben", "south", {"one": 200, "two": 100, "base": 400}),
    )
    assert (found["one"].rank, found["one"].open) == (1, ("against two",))
    assert (found["two"].rank, found["two"].open) == (1, ("against one",))
    assert (found["base"].rank, found["base"].open) == (3, ())


def test_two_equal_submissions_tie() -> None:
    equal = {"one": 100, "two": 100, "base": 400}
    found = places(result("ann", "north", equal), result("ben", "south", equal))
    assert [(found[name].rank, found[name].shared, found[name].open) for name in ("one", "two")] == [(1, True, ())] * 2


@pytest.mark.parametrize(
    ("second", "reason"),
    [(("ann", "south"), "1 of 2 operators have measured"), (("ben", "north"), "south has not been measured")],
)
def test_too_few_operators_or_machines_count_for_nothing(second: tuple[str, str], reason: str) -> None:
    costs = {"one": 100, "two": 200, "base": 400}
    found = places(result("ann", "north", costs), result(*second, costs))
    assert {place.open for place in found.values()} == {(reason,)}


def test_an_attack_moves_its_system_and_the_others_close_up() -> None:
    costs = {"one": 100, "two": 200, "base": 400}

    def held(bits: Mapping[str, int]) -> Standing:
        results = (result("ann", "north", costs, bits), result("ben", "south", costs, bits))
        return standing(COMPETITION, "only", results)

    before, after = held({}), held({"one": 50})
    assert moved(before, after) == [
        "only: one: rank 1, 128 bits left -> not ranked (bits: 50 of 64 left)",
    ]
    assert [(place.system, place.rank) for place in after.places] == [("two", 1), ("base", 2), ("one", 0)]


def test_a_conclusion_holds_fails_or_cannot_be_told() -> None:
    published = standing(
        COMPETITION,
        "only",
        (
            result("ann", "north", {"one": 100, "two": 200, "base": 400}),
            result("ben", "south", {"one": 100, "two": 200, "base": 400}),
        ),
    )
    own = result("repeat", "here", {"one": 300, "two": 300, "base": 200})
    assert {each.text: each.verdict for each in judged(published, [own])} == {
        "one costs less than two": "cannot be told",
        "one costs less than base": "fails",
        "two costs less than base": "fails",
    }
