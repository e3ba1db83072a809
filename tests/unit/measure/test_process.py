# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a timed process must report: samples of what it was asked for, and nothing else."""

from __future__ import annotations

import pytest

from cyclometer.execute.sandbox import Outcome
from cyclometer.measure.noise_floor import NoiseFloor
from cyclometer.measure.process import Measured, NotTimed, Request, measured
from cyclometer.records.failure import FailureKind
from cyclometer.records.run import EMPTY
from support.fakes import executable

GRID = ("hash length=64",)


def sample(measure: str, length: int) -> str:
    conditions = f"{length}\t0\t1\t0\trdtsc\t0\t0\t900\t8200\t8200\t9000\t9000"
    return f"sample\t{measure}\t{conditions}\t70,71,70\t0\t0\t0\t0\t"


def report(*samples: str) -> Measured | NotTimed:
    lines = "\n".join(["info\tchain_cycles\t8192", sample(EMPTY, 0), *samples]) + "\n"
    outcome = Outcome(status=0, stdout=lines.encode(), stderr=b"", problem="")
    request = Request(executable=executable("mine"), grid=GRID, seed=1, input_seed=2, patience_ms=0, seconds=1.0)
    return measured(request, outcome, noise_floor=NoiseFloor(), dither_cycles=0, core=None, copies=None)


def test_samples_of_what_was_asked_for_are_returned() -> None:
    result = report(sample("hash", 64))
    assert isinstance(result, Measured)
    assert result.samples["measure"].tolist() == [EMPTY, "hash"]


@pytest.mark.parametrize(
    ("samples", "reason"),
    [
        ([], "emits no sample of what it was asked for"),
        ([sample("hash", 65)], "emits samples that nobody asked for"),
        ([sample("hash", 64).replace("70,71", "fast")], "emits malformed records"),
    ],
)
def test_anything_else_is_a_failure(samples: list[str], reason: str) -> None:
    nothing = report(*samples)
    assert isinstance(nothing, NotTimed)
    assert (nothing.failure.kind, nothing.failure.reason) == (FailureKind.TAMPERED_RECORDS, reason)
