# SPDX-License-Identifier: MIT OR Apache-2.0
"""Libraries, found by pkg-config."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from functools import cache

from cyclometer import process


@dataclass(frozen=True)
class Package:
    """Flags to compile and to link with, and what identifies the version."""

    cflags: tuple[str, ...] = ()
    libs: tuple[str, ...] = ()
    identity: str = ""


@cache
def find_packages(names: tuple[str, ...]) -> Package | str:
    """The packages together, or the name of what is missing."""
    if not shutil.which("pkg-config"):
        return "pkg-config"
    for name in names:
        if process.run_tool(["pkg-config", "--exists", name], 20).problem:
            return f"the library {name}"
    flags = [
        tuple(shlex.split(process.run_tool(["pkg-config", option, *names], 20).stdout.decode()))
        for option in ("--cflags", "--libs", "--modversion")
    ]
    return Package(cflags=flags[0], libs=flags[1], identity=" ".join(flags[2]))
