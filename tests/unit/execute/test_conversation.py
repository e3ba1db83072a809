# SPDX-License-Identifier: MIT OR Apache-2.0
"""A program that answers line by line: what it says, when it stops, and the CPU time that the kernel counts for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cyclometer.execute import sandbox
from cyclometer.execute.conversation import Conversation, NoAnswer, conversation
from cyclometer.execute.seccomp import Policy


@contextmanager
def talking_to(script: str, seconds: float = 60) -> Iterator[Conversation]:
    with conversation(
        ["sh", "-c", script],
        limits=sandbox.Limits(seconds=seconds, output=sandbox.MEGABYTE),
        policy=Policy.BUILD,
        visible=(),
        cpu=None,
        environment={},
        abi="",
    ) as talk:
        yield talk


ECHO = "while read line; do echo more $line; echo done $line; done"


def test_every_request_is_answered() -> None:
    with talking_to(ECHO) as talk:
        assert talk.ask(["one", "two"], "done") == ["more one", "done one", "more two", "done two"]
        assert talk.ask(["three"], "done") == ["more three", "done three"]
        many = [f"line {number}" for number in range(20_000)]  # more than pipes hold
        assert [line for line in talk.ask(many, "done") if line.startswith("done")] == [f"done {line}" for line in many]


@pytest.mark.parametrize(
    ("script", "seconds", "reason"),
    [
        ("read line; exit 0", 60, "stops answering"),
        ("exec sleep 10000", 1, "still running after 1 s"),
        ("yes", 60, "prints without end"),
        ("read line; echo 'verdict\tfailed\tCRASH\thash\tcrashes'", 60, "hash: crashes"),
    ],
)
def test_a_program_that_does_not_answer(script: str, seconds: int, reason: str) -> None:
    with talking_to(script, seconds) as talk, pytest.raises(NoAnswer, match=reason):
        talk.ask(["question"] * 3, "done")


def test_the_kernel_counts_what_the_program_computes_and_nothing_else() -> None:
    spin = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
    with talking_to(f"while read what; do case $what in spin) {spin};; esac; echo done; done") as talk:
        talk.ask(["wait"], "done")
        before = talk.cpu_seconds()
        own = time.process_time()
        while time.process_time() < own + 0.2:
            pass
        assert talk.cpu_seconds() < before + 0.1, "it does not run while we do, but may still wait for a line"
        before = talk.cpu_seconds()
        talk.ask(["spin"], "done")
        assert talk.cpu_seconds() > before + 0.01


def test_the_clock_of_a_program_that_has_not_answered_is_not_known() -> None:
    with talking_to(ECHO) as talk, pytest.raises(NoAnswer, match="has not answered yet"):
        talk.cpu_seconds()


def test_the_clock_of_a_program_that_has_ended() -> None:
    with talking_to("read line; echo done") as talk:
        talk.ask(["question"], "done")
        with pytest.raises(NoAnswer):
            talk.ask(["question"], "done")
