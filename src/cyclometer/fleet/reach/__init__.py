# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ways to reach a machine, a module each.

A way has a class `Keys`, which declares what a [[machine]] of FLEET.toml may say about it, and a function
`start(keys, ports) -> subprocess.Popen[bytes]`, which starts `python -m cyclometer.fleet.worker` there, with pipes as
standard input and output. The worker lives as long as its standard input: when the pipe closes, for whatever reason,
it ends. `Ports` says which ports of loopback must lead where.
"""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
from dataclasses import dataclass
from types import ModuleType

from cyclometer.discover.schema import Declaration

__all__ = ["Declaration", "Ports", "held", "ways"]


@dataclass(frozen=True, kw_only=True)
class Ports:
    """Ports of 127.0.0.1: the scheduler's and the worker's as the client's machine and as the worker's see them."""

    scheduler: int  # where the scheduler listens, on the client's machine
    scheduler_there: int  # where the worker finds it, on the worker's machine
    worker: int  # where the scheduler finds the worker, on the client's machine
    worker_there: int  # where the worker listens, on its machine


def ways() -> dict[str, ModuleType]:
    """Return every way by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    return {name: importlib.import_module(f"{__name__}.{name}") for name in names}


def held(command: list[str], environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start a program that ends with its standard input; what it says besides goes to its standard error."""
    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the client, which then closes the pipe
    )
