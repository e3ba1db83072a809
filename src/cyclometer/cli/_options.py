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
