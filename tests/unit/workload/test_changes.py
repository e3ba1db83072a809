# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where the leader changes, and who is dominated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cyclometer.records.catalogue import Primitive
from cyclometer.workload import Ranking, Workload, rank
from cyclometer.workload.costs import Headlines
from cyclometer.workload.coverage import Coverage
from cyclometer.workload.model import needed_points
from cyclometer.workload.ranking import Material
from support.synthetic import subject

RECEIVER = Workload(
    name="n", title="t", source="s", packets={(40, 0): 0.5, (80, 0): 0.5}, keys=4, encrypt=0.0, forged=0.1
)


def primitive(name: str, bits: int) -> Primitive:
    facts = {"security_bits": bits, "attacks": []}
    sizes = {"key_bytes": 16, "nonce_bytes": 12, "tag_bytes": 16}
    return Primitive(
        operation="crypto_aead",
        name=name,
        folder=Path(name),
        sizes=sizes,
        associated_data=True,
        facts=facts,
        vectors=(),
    )


def ranking(systems: dict[str, tuple[int, dict[str, float]]], load: Workload = RECEIVER) -> Ranking:
    """Rank systems of that many bits, whose costs are those of a `measure`, of `measure@length`, and of `one key`."""

    def headlines(costs: dict[str, float], measure: str, length: int, keys: int) -> Headlines:
        cost = costs.get(f"{measure}@{length}", costs.get(measure, 0.0))
        cost += costs.get("one key", 0.0) if keys == 1 else 0
        return Headlines(values=cost + costs.get("noise", 1.0) * np.array([-1.0, 0.0, 1.0]), disturbed=False)

    points = needed_points(load, replay=False)
    measured = {
        name: {point: headlines(costs, str(point[0]), int(point[1]), int(point[3])) for point in points}
        for name, (_, costs) in systems.items()
    }
    coverage = {name: Coverage(tuning=subject(name), runs=(), missing=frozenset()) for name in systems}
    material = Material(
        primitives={name: primitive(name, bits) for name, (bits, _) in systems.items()},
        coverage=coverage,
        measured=measured,
        sizes={},
        spread=None,
        failures={},
    )
    return rank(load, material)


def test_the_leader_changes_at_the_share_of_forgeries_where_costs_are_equal() -> None:
    found = ranking(
        {"a": (128, {"decrypt": 100, "reject": 100}), "b": (128, {"decrypt": 150, "reject": 20, "noise": 2})}
    )
    [change] = found.changes
    assert (change.variable, change.leaders) == ("forged share", ("b",))
    assert change.value == pytest.approx(50 / 130)  # 100 = 150 (1 - f) + 20 f
    assert change.interval is not None
    assert change.interval[0] < change.value < change.interval[1]


def test_leaders_of_single_lengths_and_of_one_key_are_named() -> None:
    base = {"reject": 90.0, "decrypt@80": 100.0}
    found = ranking(
        {
            "a": (128, {**base, "decrypt@40": 100}),
            "b": (128, {**base, "reject": 95.0, "decrypt@40": 150, "decrypt@80": 60, "one key": -50, "noise": 2}),
        }
    )
    leaders = {(change.variable, change.value): change.leaders for change in found.changes if not change.interval}
    assert leaders == {("bytes", 40): ("a",), ("bytes", 80): ("b",), ("keys", 1): ("b",)}
    between = {change.variable: change for change in found.changes if change.interval}
    at = {variable: change.value for variable, change in between.items()}
    # At 40 bytes b costs 45.5 more, at 80 bytes 35.5 less; under one key 45 less, under 4 keys 5 more.
    expected = {"from bytes": 40 + 40 * 45.5 / 81, "from keys": 4 ** (45 / 50)}
    assert at == pytest.approx(expected, rel=1e-4)  # expanding a key now and then adds a little
    assert {variable: change.leaders for variable, change in between.items()} == {
        "from bytes": ("b",),
        "from keys": ("a",),
    }
    for change in between.values():
        assert change.interval is not None
        assert change.interval[0] < change.value < change.interval[1]


def test_nothing_changes_for_a_system_that_always_leads() -> None:
    assert ranking({"a": (128, {"decrypt": 50, "reject": 10}), "b": (128, {"decrypt": 90, "reject": 60})}).changes == ()


def test_a_dominated_system_is_not_on_the_front_and_a_tie_dominates_nobody() -> None:
    found = ranking(
        {
            "fast": (80, {"decrypt": 100, "reject": 100}),
            "strong": (256, {"decrypt": 300, "reject": 300}),
            "equal": (256, {"decrypt": 301, "reject": 301}),
            "slow": (128, {"decrypt": 400, "reject": 400}),
            "weak": (64, {"decrypt": 200, "reject": 200}),
        }
    )
    dominated = {entry.primitive.name: entry.dominated_by for entry in found.entries}
    assert dominated == {"fast": "", "strong": "", "equal": "", "slow": "strong", "weak": "fast"}
