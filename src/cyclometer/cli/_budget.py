# SPDX-License-Identifier: MIT OR Apache-2.0
"""How `cyclometer run --budget` runs a campaign: part after part, each in a process of its own, until time is up.

A part's process gives all its memory back, and no part can hold up the others for longer than the budget.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from cyclometer.campaign.budget import Budgeted
from cyclometer.errors import CyclometerError, first_line

END_SECONDS = 5.0
SYSTEMS_NAMED = 6

Measure = Callable[[list[str], bool], Path]
"""Measures these systems, or finishes the interrupted run of this machine; returns the folder of the run."""


def run_within(
    seconds: float, budgeted: Budgeted, tree: str, measure: Measure, say: Callable[[str], None]
) -> list[str]:
    """Run the waiting parts until the budget is used up; return the systems that were not reached."""
    end = time.monotonic() + seconds
    done, total = 0, len(budgeted.waiting)
    while budgeted.waiting and time.monotonic() < end:
        part, resume = budgeted.waiting[0], budgeted.begun
        budgeted.begun = True
        budgeted.store()
        begun = time.monotonic()
        say(f"part {done + 1} of {total}: {_names(part)}; {end - begun:.0f} s of the budget left")
        ended, why = _in_a_process(measure, part, resume, end)
        if not ended:
            break
        done += 1
        budgeted.finish_part(tree, time.monotonic() - begun, why)
        if why:
            say(f"no run of {_names(part)}: {why}")
    return [key for part in budgeted.waiting for key in part]


def _names(part: list[str]) -> str:
    more = f" and {len(part) - SYSTEMS_NAMED} more" if len(part) > SYSTEMS_NAMED else ""
    return ", ".join(part[:SYSTEMS_NAMED]) + more


def _in_a_process(measure: Measure, part: list[str], resume: bool, end: float) -> tuple[bool, str]:
    """Return whether the part ended before its time, and why it has no run, if so."""
    receive, send = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_child, args=(measure, part, resume, send))
    process.start()
    send.close()
    with suppress(EOFError, OSError):
        receive.recv()  # before, it has no process group that could be ended
    process.join(max(0.0, end - time.monotonic()))
    if process.is_alive():
        _end_group(process)
        return False, ""
    with suppress(EOFError, OSError):
        return True, str(receive.recv())
    return True, f"its process ended with status {process.exitcode}"


def _child(measure: Measure, part: list[str], resume: bool, send: Connection[Any, Any]) -> None:
    os.setpgid(0, 0)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # what is stored is whole at every moment
    send.send("")
    try:
        measure(part, resume)
        send.send("")
    except CyclometerError as error:
        send.send(first_line(error))


def _end_group(process: Any) -> None:
    """End a part's process and the programs that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(OSError):
            os.killpg(process.pid, number)
        process.join(END_SECONDS)
        if not process.is_alive():
            return
