# SPDX-License-Identifier: MIT OR Apache-2.0
"""What studies of a library's layers share: the environment, and calls over transports with payloads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cyclometer import campaign, paths
from cyclometer.discover import first_answer
from cyclometer.errors import UnknownName
from cyclometer.protocols.run import ROUNDS, Grid
from cyclometer.protocols.studies import Request

PAYLOADS = (4, 45, 1024)


def environment_of_layers() -> campaign.Environment:
    """Return the environment with one compiler and few libraries, so that a study takes minutes."""
    environment = campaign.prepare_environment(paths.root())
    return replace(environment, catalogue=first_answer(environment.catalogue))


def calls_grid(request: Request, known: Sequence[str], default: Sequence[str], what: str = "transport") -> Grid:
    """Return the grid of the calls asked for; UnknownName for a transport that is not `known`."""
    transports, payloads = request.transports or tuple(default), request.payloads or PAYLOADS
    for transport in transports:
        if transport not in known:
            raise UnknownName(what, transport, known, f"there are {', '.join(known)}")
    lengths = f"length={','.join(map(str, payloads))}"
    return Grid(
        lines=tuple(f"call-{transport} {lengths} repetition=1-4" for transport in transports),
        payloads=tuple(payloads),
        transports=tuple(transports),
        rounds=request.rounds or ROUNDS // 2,
    )
