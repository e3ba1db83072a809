# SPDX-License-Identifier: MIT OR Apache-2.0
"""Executables that measure placement: eviction, eight copies of the timed loop, and a layout."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from cyclometer.compile.build_tool import BuildError
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.steps import BuildSteps
from cyclometer.records.catalogue import Compiler
from cyclometer.records.failure import FailureKind
from cyclometer.records.placement import CALL_SITES, Layout

PLACEMENT_FOLDERS = ("evict", "placement")
"""The folders of harness/ that only these executables contain."""

SITE_PADDING = (23, 41, 5, 58, 16, 37, 11, 50)
"""Bytes behind each copy of the timed loop, so that the copies begin at different places of a line."""


def padding(steps: BuildSteps, base: Compiler, layout: Layout) -> list[Path]:
    """Return the object that moves the text, if the layout has one."""
    return [_pad(steps, base, layout.padding)] if layout.padding else []


def with_call_sites(steps: BuildSteps, base: Compiler, harness: Sequence[Path]) -> Path:
    """Join the harness, whose first object is measure.c, with eight more copies of that one.

    Its text becomes a section of its own, so that the rest of the text is the implementation's.
    """
    tool = shlex.quote(base.command)
    objcopy = f"{base.command.removesuffix('gcc')}objcopy" if base.command.endswith("-gcc") else "objcopy"
    pads = [_pad(steps, base, number) for number in SITE_PADDING]
    script = f"""set -e
measure=$1; shift
sites=
for site in {" ".join(str(number + 1) for number in range(CALL_SITES))}; do
    {objcopy} --redefine-sym operation_measure=operation_measure_$site "$measure" site$site.o
    sites="$sites site$site.o $1"; shift
done
{tool} -r -nostdlib -o joined.o "$measure" $sites "$@"
{objcopy} --rename-section .text=harness_text,contents,alloc,load,readonly,code joined.o placed.o"""
    objects = [harness[0], *pads, *harness[1:]]
    key = Cache.key("call sites", tool, base.version, script, [steps.cache.digest(each) for each in objects])
    result = steps.cache.make(key, ".o", lambda out: steps.script(script, objects, "placed.o", out))
    if isinstance(result, ToolFailure):
        raise BuildError(FailureKind.DOES_NOT_LINK, "does not link with eight call sites", result.message)
    return result


def _pad(steps: BuildSteps, base: Compiler, number: int) -> Path:
    source = steps.harness / "placement" / "pad.S"
    return steps.object(source, base, ("-O2",), (), (("PAD", str(number)),))
