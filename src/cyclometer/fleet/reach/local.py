# SPDX-License-Identifier: MIT OR Apache-2.0
"""This machine, or a share of its cores."""

from __future__ import annotations

import os
import subprocess
import sys

from cyclometer.fleet.reach import Declaration, Ports, held

FORWARDS = False
"""Whether the ports there differ from those here."""


class Keys(Declaration):
    """Optional: another tree, and another cache; default: the client's."""

    tree: str = ""
    cache: str = ""


def start(keys: Keys, ports: Ports) -> subprocess.Popen[bytes]:
    """Start a worker with the Python of the client."""
    del ports  # the same here and there
    own = {"CYCLOMETER_TREE": keys.tree, "CYCLOMETER_CACHE": keys.cache}
    environment = {**os.environ, **{name: value for name, value in own.items() if value}}
    return held([sys.executable, "-m", "cyclometer.fleet.worker"], environment)
