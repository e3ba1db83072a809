# SPDX-License-Identifier: MIT OR Apache-2.0
"""Options that several subcommands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Results = Annotated[
    Path | None,
    typer.Option(help="folder of all runs; default: $CYCLOMETER_RESULTS, else ./results"),
]

TimeLimit = Annotated[
    float,
    typer.Option(min=1, metavar="SECONDS", help="what one process may take to check an implementation"),
]

Unbroken = Annotated[bool, typer.Option("--unbroken", help="only systems without a known break")]

MinSecurity = Annotated[
    int, typer.Option(metavar="BITS", min=0, help="only what still offers this, after the best attack on record")
]

Tree = Annotated[
    Path | None,
    typer.Option(
        "--tree",
        metavar="DIR",
        help="a SUPERCOP, eSTREAM, NIST or PQClean tree, a part of one, or one implementation, read as it stands",
    ),
]

AllCompilers = Annotated[
    bool,
    typer.Option("--all-compilers", help="build everything with all compilers, however many pairs there are"),
]

Lengths = Annotated[
    str, typer.Option(metavar="N,N-N,N-N/STEP...", help="these lengths of packets or messages, in bytes")
]

Keys = Annotated[
    str,
    typer.Option(
        metavar="N,N...",
        help="these numbers of active keys, where an operation has any; default: the profile's, with --length one",
    ),
]
