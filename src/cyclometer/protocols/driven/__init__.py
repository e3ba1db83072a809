# SPDX-License-Identifier: MIT OR Apache-2.0
"""Programs of others that are timed from outside: drivers start them, where there is no network but loopback.

A driver is a module of this package with `main(folder)`. It reads one JSON object from its standard input, `Orders`,
and prints one JSON object for each session, `Session`; `drive` does both. `folder` is all that it may write to.
"""

from cyclometer.protocols.driven.records import Asked, Orders, Session
from cyclometer.protocols.driven.start import sessions

__all__ = ["Asked", "Orders", "Session", "sessions"]
