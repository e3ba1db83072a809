# SPDX-License-Identifier: MIT OR Apache-2.0
"""Peers that misbehave: a call fails with its reason, never with a wrong result, and costs only its rung."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.campaign import Environment, Options, prepare_environment
from cyclometer.campaign.tune import Tuner
from cyclometer.execute.timed import call
from cyclometer.protocols.assemble import build_rung
from cyclometer.protocols.rungs import Rung
from cyclometer.records.executable import Executable
from cyclometer.records.failure import FailureKind
from support.small_tree import SmallTree
from support.whole_tree import SilentProgress

AEAD = "crypto_aead/aes-128-gcm"
MEASURE = ("measure", "1", "15", "0", "0", "0")


class Journal:
    def add_failures(self, failures: object) -> None: ...
    def add_trials(self, trials: object) -> None: ...


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Environment:
    tree = SmallTree.grow(tmp_path_factory.mktemp("peers") / "tree", f"{AEAD}/ref")
    tree.copy("protocols")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CYCLOMETER_CACHE", str(build_cache))
        return prepare_environment(tree.root)


@pytest.fixture(scope="module")
def rung(environment: Environment) -> Executable:
    tuner = Tuner(environment, Options(systems=(AEAD,)), Journal(), SilentProgress())
    [part] = tuner.choose(tuner.candidates())
    built = build_rung(environment.tree, environment.builder, Rung(layer="aead", parts=(AEAD,)), {AEAD: part})
    assert isinstance(built, Executable)
    return built


@pytest.mark.parametrize("transport", ["queue", "unix", "tcp", "udp"])
@pytest.mark.parametrize(
    ("fault", "reasons"),
    [
        ("die", {"the other end closed the connection"}),
        ("garbage", {"a packet was refused"}),
        ("flip", {"a packet was refused"}),
        ("cut", {"a packet was refused"}),
        ("replay", {"a packet was refused"}),
        ("reorder-2", {"the answer belongs to another call or is malformed", "the other end sent nothing for 2 s"}),
    ],
)
def test_a_faulty_server_fails_the_call(rung: Executable, transport: str, fault: str, reasons: set[str]) -> None:
    kind, _, under_way = fault.partition("-")
    measure = f"call-{transport}{'-' + under_way if under_way else ''}+{kind}"
    outcome = call(rung, *MEASURE, f"{measure} length=45")
    if transport == "udp" and kind == "die":
        reasons = {*reasons, "the other end sent nothing for 2 s"}
    assert outcome.kind is FailureKind.PEER_FAILED
    assert any(outcome.problem.endswith(reason) for reason in reasons), outcome.problem


def test_a_server_that_stalls_is_given_up(rung: Executable) -> None:
    outcome = call(rung, *MEASURE, "call-tcp+stall length=45")
    assert outcome.kind is FailureKind.PEER_FAILED
    assert outcome.problem.endswith("the other end sent nothing for 2 s")


def least(records: str, measure: str) -> int:
    lines = [line.split("\t") for line in records.splitlines() if line.startswith(f"sample\t{measure}\t")]
    return min(int(timing) for line in lines for timing in line[-6].split(","))


def test_a_delayed_primitive_lengthens_the_call_by_its_four_calls(rung: Executable) -> None:
    delay = 300_000  # far more than all else in a call; the least timing is one that nothing interrupted
    delayed = f"call-queue+delay{delay}"
    outcome = call(rung, *MEASURE, "call-queue length=45 repetition=1-4", f"{delayed} length=45 repetition=1-4")
    records = outcome.stdout.decode()
    assert outcome.problem == ""
    assert (least(records, delayed) - least(records, "call-queue")) / delay == pytest.approx(4, rel=0.1)
