# SPDX-License-Identifier: MIT OR Apache-2.0
"""The size of the hot path: what one call executes, counted by single-stepping (harness/trace/step.c)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclometer.execute import keypair_cache, sandbox
from cyclometer.execute.seccomp import Policy
from cyclometer.measure.symbols import Functions, functions
from cyclometer.records.executable import Executable
from cyclometer.records.run import Size

HIT = 2
"""The call that is stepped through: at the first, functions of libraries are still to be resolved."""

MOST_INSTRUCTIONS = 400_000
SECONDS = 10.0

NAMES = ("executed_bytes", "executed_lines", "executed_pages", "executed_instructions")


@dataclass(frozen=True, kw_only=True)
class Point:
    """A call whose path is counted."""

    measure: str
    length: int
    ad_length: int = 0


def hot_path_sizes(stepper: Path, executable: Executable, points: Sequence[Point], *, main: Point | None) -> list[Size]:
    """Return the sizes executed at each point, `executed_lines_encrypt_576`, and of `main` without the point.

    Points whose function is not found, or that execute too much, have none.
    """
    known = None if executable.compiler.emulator or executable.compiler.abi else functions(executable.path)
    if not known:
        return []
    sizes = []
    for point in dict.fromkeys([*points, *([main] if main else [])]):
        counts = _counts(stepper, executable, known, point)
        for name, count in zip(NAMES, counts, strict=False):
            if point in points:
                sizes.append(_size(executable, f"{name}_{point.measure}_{point.length}", count))
            if point == main:
                sizes.append(_size(executable, name, count))
    return sizes


def _size(executable: Executable, name: str, value: int) -> Size:
    return Size(subject=executable.subject, name=name, value=value)


def _counts(stepper: Path, executable: Executable, known: Functions, point: Point) -> list[int]:
    name = next((each for each in _names(executable.subject.operation, point.measure) if each in known.of), None)
    if not name:
        return []
    address, entry = (f"{number:x}" for number in (known.of[name][0], known.entry))
    line = f"{point.measure} length={point.length} ad_length={point.ad_length}"
    measure = ("measure", "1", "15", "0", "0", "0", *keypair_cache.arguments(executable), line)
    outcome = sandbox.run(
        [str(stepper), address, entry, str(HIT), str(MOST_INSTRUCTIONS), str(executable.path), *measure],
        limits=sandbox.Limits(seconds=SECONDS),
        environment=dict(executable.compiler.environment),
        visible=[executable.path, stepper],
        policy=Policy.TRACE,
    )
    words = outcome.stdout.split()
    return [int(word) for word in words[1:]] if words[:1] == [b"executed"] else []


def _names(operation: str, measure: str) -> Iterable[str]:
    """Yield the names that the timed function may have."""
    yield f"{operation}_{measure}"
    if measure == "reject":
        yield f"{operation}_decrypt"
    yield operation
