# SPDX-License-Identifier: MIT OR Apache-2.0
"""What isolated costs predict for a call, and how the rest is attributed: numbers that can be added by hand."""

from __future__ import annotations

import pytest

from cyclometer.analyse import Cell
from cyclometer.protocols.calls import PartCall
from cyclometer.protocols.predict import CAUSES, Prediction, predictions
from cyclometer.protocols.rungs import NULL, PLAIN, Rung
from cyclometer.protocols.stored import Ladder
from cyclometer.protocols.tables import per_call
from cyclometer.protocols.words import verdict
from cyclometer.records.table import Context
from cyclometer.records.tuning import Tuning

MAC = "crypto_auth/mine"
RUNG = Rung(layer="mac", parts=(MAC,))
CONTEXT = Context(
    machine="m", cpu="c", counter="rdpmc", unit="core cycles", converted_from="", profile="protocol", runs=("r",),
    overhead=0.0, spread=0.01,
)  # fmt: skip


def cell(key: str, measure: str, cycles: float, length: int = 45) -> Cell:
    operation, _, primitive = key.partition("/")
    return Cell(
        machine="m",
        subject=Tuning(operation=operation, primitive=primitive),
        control=False,
        measure=measure,
        variables={"length": length, "ad_length": 0, "keys": 1, "alignment": 0},
        cycles=cycles,
        interval=None,
        quartiles=(cycles, cycles),
        rounds=5,
        samples=5,
        disturbed=False,
    )


def ladder(*, null: float, rung: float, mac: float, more: dict[str, float] | None = None) -> Ladder:
    """Return a ladder whose one rung calls its MAC four times, with 73 bytes each; `more` are measures of the rung."""
    measured = {(PLAIN.name, "call-queue"): 100.0, (NULL.name, "call-queue"): null, (RUNG.name, "call-queue"): rung}
    measured |= {(NULL.name, "direct"): 2.0, (NULL.name, "indirect"): 5.0, (NULL.name, "allocation"): 40.0}
    measured |= {(RUNG.name, name): cycles for name, cycles in (more or {}).items()}
    places = {"direct": 0, "indirect": 0, "allocation": 64}
    return Ladder(
        rungs=(PLAIN, NULL, RUNG),
        cells={
            (name, (measure, places.get(measure, 45), 1)): cell(f"protocol/{name}", measure, cycles)
            for (name, measure), cycles in measured.items()
        },
        parts={(MAC, "auth", 73, 0): cell(MAC, "auth", mac, 73)},
        calls={RUNG.name: {45: [PartCall(function="mac.authenticate", length=73, ad_length=0, count=4)]}},
        counts={(RUNG.name, "allocations:45:queue"): 2000, (NULL.name, "allocations:45:queue"): 1000},
        spreads={},
        tails={},
        batches={},
        overhead=0.0,
        cold={},
        hertz=None,
        context=CONTEXT,
        failures=(),
    )


def only(read: Ladder) -> Prediction:
    [found] = predictions(read, "queue", 45)
    return found


def test_a_call_is_predicted_as_the_null_layer_and_its_parts_calls() -> None:
    found = only(ladder(null=400, rung=1000, mac=120))
    assert (found.base, found.hot, found.predicted) == (400, 4 * 120, 880)
    assert (found.added, found.residual) == (600, 120)


def test_a_layer_of_identity_functions_has_no_residual() -> None:
    found = only(ladder(null=400, rung=400, mac=0))
    assert (found.hot, found.residual, found.added) == (0, 0, 0)
    assert found.unexplained_share is None


def test_a_slower_primitive_lengthens_the_prediction_by_its_calls() -> None:
    slow, quick = (only(ladder(null=400, rung=1000, mac=mac)) for mac in (150, 120))
    assert slow.predicted - quick.predicted == 4 * 30


def test_the_residual_is_attributed_in_order_and_the_rest_is_unexplained() -> None:
    more = {"inside-queue": 500, "once-queue": 1010, "twice-queue": 1480}
    found = only(ladder(null=400, rung=1000, mac=120, more=more))
    assert tuple(found.causes) == CAUSES
    assert found.causes["cold caches"] == 500 - 480
    assert found.causes["overlap"] == 470 - 480
    assert found.causes["indirect calls"] == 4 * (5 - 2)
    assert found.causes["allocation"] == 40
    assert found.causes["copies"] is None, "no copy was measured"
    assert found.unexplained == pytest.approx(120 - 20 + 10 - 12 - 40)
    assert found.unexplained_share == pytest.approx(found.unexplained / 600)


def test_without_a_measurement_of_a_part_nothing_is_predicted() -> None:
    read = ladder(null=400, rung=1000, mac=120)
    assert predictions(Ladder(**{**vars(read), "parts": {}}), "queue", 45) == []


def test_cold_costs_of_another_run_give_a_second_prediction() -> None:
    read = ladder(null=400, rung=1000, mac=120)
    assert only(read).predicted_cold is None
    between = Ladder(**{**vars(read), "cold": {(MAC, "auth"): {0: 200.0, 146: 300.0}}})
    assert only(between).cold == pytest.approx(4 * 250)  # 73 bytes lie in the middle
    assert only(between).predicted_cold == pytest.approx(1400)


def test_the_verdict_on_a_single_rung_has_no_range_and_no_order() -> None:
    shares, for_nothing, explained = verdict(ladder(null=200, rung=400, mac=50))
    assert shares == (
        "queue, 45 bytes: cryptography is 50 % of the call (mac+mine); there the layer is 25 % and the transport 25 %"
    )
    assert for_nothing.endswith("the call would be 50 % faster than mac+mine")
    assert explained.endswith("at most 10 % of the added cost is unexplained in 0 of 1 rungs; more in mac+mine (-26 %)")


def test_a_call_without_cpu_time_has_a_dash_and_one_without_system_calls_none_of_them() -> None:
    assert per_call("cpu_us", 0) is None
    assert per_call("cpu_us", 450) == 450, "microseconds in 1000 calls are nanoseconds in one"
    assert per_call("system_calls", 0) == 0
    assert per_call("system_calls", 4000) == 4
