# SPDX-License-Identifier: MIT OR Apache-2.0
"""What scheduler and worker share: each reads its orders from standard input, and ends when that closes.

So nothing outlives a client that was killed, however it was reached.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any


def orders() -> dict[str, Any]:
    """Return the first line of standard input; end the process if there is none."""
    line = sys.stdin.buffer.readline()
    if not line:
        os._exit(0)
    return dict(json.loads(line))


def answer(value: dict[str, Any]) -> None:
    """Print one line for the client."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def end_with_input() -> None:
    """From now on, end this process at once when standard input closes: what is stored is whole at every moment."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
