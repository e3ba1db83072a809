# SPDX-License-Identifier: MIT OR Apache-2.0
"""What all drivers do: read orders, stay on one core, make session after session, print what each took."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cyclometer.protocols.driven.records import Asked, Orders, Session

Series = Mapping[str, Sequence[int]]


def read_orders() -> Orders:
    """Read the orders, and go to the core that they name."""
    given: dict[str, Any] = json.load(sys.stdin)
    orders = Orders(**{**given, "rungs": [Asked(**each) for each in given["rungs"]]})
    if orders.core is not None:
        os.sched_setaffinity(0, {orders.core})
    return orders


def drive(orders: Orders, session: Callable[[Asked], Series]) -> None:
    """Make the sessions in their order; one that fails costs nothing but itself."""
    for number, index, control in orders.order:
        ended = Session(round=number, rung=index, control=control, series={})
        try:
            ended = Session(round=number, rung=index, control=control, series=session(orders.rungs[index]))
        except (OSError, RuntimeError) as error:
            ended = Session(round=number, rung=index, control=control, series={}, problem=str(error))
        print(json.dumps(asdict(ended)), flush=True)


def timed(calls: int, payload: int, exchange: Callable[[bytes], bytes]) -> list[int]:
    """Return what each call took; what comes back must be what was sent."""
    taken = []
    for _ in range(calls):
        message = os.urandom(payload)
        begun = time.perf_counter_ns()
        answer = exchange(message)
        taken.append(time.perf_counter_ns() - begun)
        if answer != message:
            raise RuntimeError("another message came back")
    return taken
