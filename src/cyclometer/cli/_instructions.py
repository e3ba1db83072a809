# SPDX-License-Identifier: MIT OR Apache-2.0
"""How `cyclometer check --instructions` shows what an emulator counted, never without saying that it is no time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cyclometer.campaign import Environment, InstructionCount
from cyclometer.cli._output import say
from cyclometer.errors import CyclometerError

LABEL = "emulated instructions: not cycles, and no measure of time"


def require_emulator(environment: Environment, toolchain: str) -> None:
    """Raise CyclometerError unless every program of the toolchain is emulated."""
    if not toolchain or not all(compiler.emulator for compiler in environment.catalogue.compilers):
        raise CyclometerError(
            "--instructions counts in an emulator only; add --toolchain aarch64, armhf, ppc64le, riscv64 or s390x"
        )


def print_instructions(counts: Sequence[InstructionCount]) -> None:
    """Print one line for each call that was counted."""
    for count in counts:
        where = f"{count.measure} of {count.length} bytes" + (f", AD {count.ad_length}" if count.ad_length else "")
        say(f"counted {count.subject}: {where}: {count.instructions:,} instructions")
    if counts:
        say(f"note    {LABEL}")


def instructions_content(counts: Sequence[InstructionCount]) -> dict[str, Any]:
    """Return the counts as records, if there are any."""
    if not counts:
        return {}
    return {"instructions": {"unit": LABEL, "counts": [asdict(count) for count in counts]}}
