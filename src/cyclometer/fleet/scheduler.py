# SPDX-License-Identifier: MIT OR Apache-2.0
"""The scheduler's process: `python -m cyclometer.fleet.scheduler`, started by the client."""

from __future__ import annotations

import asyncio
import os

from distributed import Scheduler

from cyclometer.fleet.held import answer, end_with_input, orders
from cyclometer.fleet.secrecy import security_of

LOST_WORKERS = 1000
"""How often a task may lose its worker: the client counts by itself and gives up earlier."""


async def serve() -> None:
    """Listen on a free port of loopback until the client closes standard input."""
    given = orders()
    async with Scheduler(
        host="127.0.0.1",
        port=0,
        protocol="tls",
        security=security_of(given["secret"]),
        allowed_failures=LOST_WORKERS,
        dashboard=False,
    ) as scheduler:
        answer({"port": int(scheduler.address.rpartition(":")[2]), "process": os.getpid()})
        end_with_input()
        await scheduler.finished()


if __name__ == "__main__":
    asyncio.run(serve())
