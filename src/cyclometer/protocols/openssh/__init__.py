# SPDX-License-Identifier: MIT OR Apache-2.0
"""OpenSSH's own client and server, driven from outside: `python -m cyclometer.protocols.openssh.driver`.

The driver runs where there is no network but loopback, as a user who may log in without more than a temporary key. It
reads one JSON object, `Orders`, and prints one JSON object for each session, `Session`, or for each that failed.
"""

from cyclometer.protocols.openssh.orders import Asked, Orders, Session
from cyclometer.protocols.openssh.start import algorithms, sessions

__all__ = ["Asked", "Orders", "Session", "algorithms", "sessions"]
