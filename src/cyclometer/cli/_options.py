# SPDX-License-Identifier: MIT OR Apache-2.0
"""Options that several subcommands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cyclometer.cli import _values

Results = Annotated[
    Path | None,
    typer.Option(help="Folder that holds the runs; default: $CYCLOMETER_RESULTS, else ./results."),
]

TimeLimit = Annotated[
    float,
    typer.Option(
        min=1,
        metavar="SECONDS",
        help="Time limit for one process that checks or measures an implementation, in seconds. A build may take "
        "5 times as long, all builds of an implementation 10 times, a process that measures the full profile 10 times.",
    ),
]

Unbroken = Annotated[
    bool, typer.Option("--unbroken", help="Only systems without a published attack below their claimed security.")
]

MinSecurity = Annotated[
    int,
    typer.Option(
        metavar="BITS", min=0, help="Only systems with at least BITS of security left after the best published attack."
    ),
]

Tree = Annotated[
    Path | None,
    typer.Option(
        "--tree",
        metavar="DIR",
        help="Use this SUPERCOP, eSTREAM, NIST or PQClean tree, a part of one, or a single implementation, unchanged.",
    ),
]

Unsafe = Annotated[
    bool,
    typer.Option("--unsafe", help="Build and run a foreign tree even where there is no sandbox: you trust all of it."),
]

AllCompilers = Annotated[
    bool,
    typer.Option(
        "--all-compilers",
        help="Build every implementation with every compiler (-Os too), not only what leads in a first timing.",
    ),
]

Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Also print the counter, the profile and the overhead under each table.")
]

Cold = Annotated[
    str,
    typer.Option(
        "--cold",
        metavar="WHAT,WHAT...",
        help="Also measure with each of these cold: code, tables, key, input, output, tlb, predictor, vector, all.",
    ),
]

Alignment = Annotated[
    list[str] | None,
    typer.Option(
        "--alignment",
        metavar="N,N...",
        help="Also with input and output this many bytes past an aligned address; or input=N,N, output=N,N, key=N,N.",
    ),
]

CallSites = Annotated[
    int, typer.Option("--call-sites", min=0, max=8, help="Also call from this many places in the code.")
]

Between = Annotated[
    str, typer.Option("--between", metavar="KIB,KIB...", help="Also run this many KiB of other code between calls.")
]

Layouts = Annotated[
    int,
    typer.Option(
        "--layouts",
        min=0,
        max=64,
        help="Also measure this many other layouts: linked again, with code and memory elsewhere.",
    ),
]

Lengths = Annotated[
    str,
    typer.Option(
        metavar="N,N-N,N-N/STEP...",
        help="Lengths, in bytes or what the operation counts; default: the profile's.",
    ),
]

Keys = Annotated[
    str,
    typer.Option(
        metavar="N,N...",
        help="Numbers of active keys, where keys apply; default: the profile's, or 1 with --length.",
    ),
]

AdLengths = Annotated[
    str,
    typer.Option("--ad", metavar="N,N...", help="Bytes of associated data, where a system takes any; default: 0."),
]

Without = Annotated[
    str,
    typer.Option(
        metavar="FEATURE,FEATURE...",
        autocompletion=_values.features,
        help="Measure as if the CPU lacked these features (aes, avx512 ...), as a machine of its own (docs/modes.md).",
    ),
]

Toolchain = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        autocompletion=_values.toolchains,
        help="Measure with this toolchain, such as m32, as a machine of its own (docs/modes.md).",
    ),
]

Implementations = Annotated[
    list[str] | None,
    typer.Option(help="Only this implementation (repeatable).", autocompletion=_values.implementations),
]

Compilers = Annotated[
    list[str] | None, typer.Option(help="Only this compiler (repeatable).", autocompletion=_values.compilers)
]

Measures = Annotated[
    list[str] | None,
    typer.Option(help="Only this measure, such as encrypt (repeatable).", autocompletion=_values.measures),
]

TableFormat = Annotated[
    str, typer.Option(help="Output format: terminal, csv, json, markdown or latex.", autocompletion=_values.formats)
]

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[OPERATION|SYSTEM]...",
        autocompletion=_values.systems,
        help="Operations, systems or patterns; default: everything measured.",
    ),
]

Runs = Annotated[
    list[str] | None,
    typer.Option(
        autocompletion=_values.runs,
        help="Runs, by name or pattern (repeatable); default: the last complete run of `run`.",
    ),
]

EveryRun = Annotated[
    list[str] | None,
    typer.Option(
        autocompletion=_values.runs, help="Runs, by name or pattern (repeatable); default: all complete runs."
    ),
]

Machines = Annotated[
    list[str] | None, typer.Option(help="Machines, by name or pattern (repeatable).", autocompletion=_values.machines)
]

AllRuns = Annotated[bool, typer.Option("--all", help="Use all complete runs together.")]


def features_named(text: str) -> tuple[str, ...]:
    """Return the features of --without, in order, each once."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
