# SPDX-License-Identifier: MIT OR Apache-2.0
"""The worker's process on a machine: `python -m cyclometer.fleet.worker`, started by a way of `reach/`.

It first describes the machine, and connects to the scheduler only if the client then sends a second line: a machine
that is refused never runs a task.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from distributed import Worker

from cyclometer import host, paths
from cyclometer.compile import contracts
from cyclometer.discover import read_operations
from cyclometer.fleet.held import answer, end_with_input, orders
from cyclometer.fleet.secrecy import security_of

PATIENCE = "60 s"
"""How long the worker looks for its scheduler before it ends."""


def description(given: dict[str, Any]) -> dict[str, Any]:
    """Return what the client compares with itself, and what it tells the user."""
    operations = read_operations(paths.root())
    known = [operations[name] for name in given["operations"] if name in operations]
    return {
        "version": importlib.metadata.version("cyclometer"),
        "dask": importlib.metadata.version("distributed"),
        "python": "{}.{}".format(*sys.version_info),
        "contracts": contracts(paths.root(), known),
        "cpu": host.cpu_name(),
        "cores": len(os.sched_getaffinity(0)),
        "process": os.getpid(),
    }


PREFIX = "cyclometer-worker-"
"""Of a worker's temporary folder; its process number follows."""


def remove_left_behind() -> None:
    """Remove the temporary folders of workers that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        with suppress(OSError):
            is_ours = folder.stat(follow_symlinks=False).st_uid == os.getuid() and not folder.is_symlink()
            if is_ours and process.isdigit() and not Path(f"/proc/{process}").exists():
                shutil.rmtree(folder, ignore_errors=True)


async def serve(given: dict[str, Any]) -> None:
    """Work for the scheduler until it is gone, or standard input closes."""
    name, ports = given["machine"], given["ports"]
    remove_left_behind()
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-") as folder:
        worker = Worker(
            f"tls://127.0.0.1:{ports['scheduler_there']}",
            name=name,
            nthreads=3,  # measures, prepares the next part, and hands over the last
            resources={f"{work} {name}": 1 for work in ("measure", "prepare", "collect")},
            security=security_of(given["secret"]),
            host="127.0.0.1",
            port=ports["worker_there"],
            contact_address=f"tls://127.0.0.1:{ports['worker']}" if ports["worker"] else None,
            local_directory=folder,
            memory_limit=0,
            death_timeout=PATIENCE,
            dashboard=False,
        )
        async with worker:
            await worker.finished()
    os._exit(1)  # tasks may still run; what they had stored is whole


def main() -> None:
    """Describe the machine; then work."""
    given = orders()
    if given["cores"]:
        try:
            os.sched_setaffinity(0, given["cores"])
        except OSError:
            answer({"problem": f"has none of the cores {given['cores']}; name others in its `cores`"})
            return
    sys.argv = given["command"]  # what run.json says
    answer(description(given))
    orders()
    end_with_input()
    asyncio.run(serve(given))


if __name__ == "__main__":
    main()
