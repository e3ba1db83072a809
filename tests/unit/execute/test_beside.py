# SPDX-License-Identifier: MIT OR Apache-2.0
"""Work beside a measurement: in order, on other cores, done at the end, and no error is lost."""

from __future__ import annotations

import os
import threading
import time

import pytest

from cyclometer.execute import sandbox
from cyclometer.execute.beside import Beside


def test_work_goes_on_beside_its_caller_and_is_done_when_the_block_is_left() -> None:
    go, done = threading.Event(), list[int]()

    def first() -> None:
        assert go.wait(60)
        done.append(1)

    with Beside(os.sched_getaffinity(0)) as beside:
        beside.begin(first)  # returns at once, or nobody would let it go on
        go.set()
        beside.begin(lambda: done.append(2))
    assert done == [1, 2]


def test_work_is_done_when_the_block_is_left_by_an_error() -> None:
    done: list[int] = []

    def interrupted() -> None:
        with Beside(os.sched_getaffinity(0)) as beside:
            beside.begin(lambda: done.append(1))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == [1]


def test_work_may_wait_while_its_caller_goes_on() -> None:
    go, done = threading.Event(), list[int]()

    def first() -> None:
        assert go.wait(60)
        done.append(1)

    with Beside(os.sched_getaffinity(0), patience=60) as beside:
        beside.begin(first)
        beside.begin(lambda: done.append(2))
        assert not done
        go.set()
    assert done == [1, 2]


def test_while_it_is_paused_no_other_work_begins() -> None:
    under_way, go, done = threading.Event(), threading.Event(), list[int]()

    def first() -> None:
        under_way.set()
        assert go.wait(60)
        done.append(1)

    with Beside(os.sched_getaffinity(0), patience=60) as beside:
        beside.begin(first)
        beside.begin(lambda: done.append(2))
        assert under_way.wait(60)
        go.set()
        with beside.paused():
            assert done == [1]  # what is under way is finished first
            time.sleep(0.05)
            assert done == [1]
    assert done == [1, 2]


def test_an_interrupt_ends_the_programs_that_work_runs() -> None:
    ended: list[sandbox.Outcome] = []

    def interrupted() -> None:
        with Beside(os.sched_getaffinity(0)) as beside:
            beside.begin(lambda: ended.append(sandbox.run(["sleep", "60"])))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not ended


def test_only_the_thread_is_moved_to_other_cores() -> None:
    ours = os.sched_getaffinity(0)
    seen: list[set[int]] = []
    with Beside([min(ours)]) as beside:
        beside.begin(lambda: seen.append(os.sched_getaffinity(0)))
    assert seen == [{min(ours)}]
    assert os.sched_getaffinity(0) == ours


def test_without_other_cores_work_is_done_at_once() -> None:
    threads: list[threading.Thread] = []
    with Beside([]) as beside:
        beside.begin(lambda: threads.append(threading.current_thread()))
        assert threads == [threading.current_thread()]


@pytest.mark.parametrize("cores", [[], os.sched_getaffinity(0)], ids=["at once", "beside"])
def test_the_error_of_work_is_raised(cores: list[int]) -> None:
    def fail() -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"), Beside(cores) as beside:
        beside.begin(fail)
