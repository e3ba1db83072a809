# SPDX-License-Identifier: MIT OR Apache-2.0
"""The size of the hot path: what one call executes, counted by single-stepping (harness/trace/step.c)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cyclometer.execute import keypair_cache, sandbox
from cyclometer.execute.seccomp import Policy
from cyclometer.measure.call_graph import reachable_bytes, read_image
from cyclometer.measure.symbols import Functions, functions
from cyclometer.records.executable import Executable
from cyclometer.records.run import Size

HIT = 2
"""The call that is stepped through: at the first, functions of libraries are still to be resolved."""

MOST_INSTRUCTIONS = 400_000
SECONDS = 60.0  # so many steps take ten where the kernel is slow; they are counted once and kept

REACHABLE = "reachable_bytes"
_C_LIBRARY = re.compile(r"(libc|libm|libpthread|ld-linux[^.]*|ld)[.-]")

NAMES = ("executed_bytes", "executed_lines", "executed_pages", "executed_instructions")


@dataclass(frozen=True, kw_only=True)
class Point:
    """A call whose path is counted."""

    measure: str
    length: int
    ad_length: int = 0


def hot_path_sizes(
    stepper: Path, executable: Executable, points: Sequence[Point], *, main: Point | None, seconds: float = SECONDS
) -> list[Size]:
    """Return the sizes executed at each point, `executed_lines_encrypt_576`, and of `main` without the point.

    Points whose function is not found, or that execute too much or take longer than `seconds`, have none.
    """
    known = None if executable.compiler.emulator or executable.compiler.abi else functions(executable.path)
    if not known:
        return []
    sizes = []
    for point in dict.fromkeys([*points, *([main] if main else [])]):
        path = _executed(stepper, executable, known, point, min(seconds, SECONDS))
        if point == main and (reachable := _reachable(executable, known, path)):
            sizes.append(_size(executable, REACHABLE, reachable))
        for name, count in zip(NAMES, path.counts, strict=False):
            if point in points:
                sizes.append(_size(executable, f"{name}_{point.measure}_{point.length}", count))
            if point == main:
                sizes.append(_size(executable, name, count))
    return sizes


@dataclass(frozen=True, kw_only=True)
class _Path:
    """What one call executed: the numbers of NAMES, and where its lines are, by file."""

    counts: tuple[int, ...] = ()
    offsets: Mapping[Path, Sequence[int]] = field(default_factory=dict)


def _reachable(executable: Executable, known: Functions, path: _Path) -> int:
    """Return the bytes of code that the operation's functions can reach, and what was executed; 0 if not known.

    Without the C library, which every program has. Other libraries are those from which something was executed.
    """
    if executable.implementation.packages and not path.offsets:
        return 0
    files = [executable.path, *(file for file in path.offsets if not _C_LIBRARY.match(file.name))]
    images = [image for file in dict.fromkeys(files) if (image := read_image(file))]
    if not images or images[0] is not read_image(executable.path):
        return 0
    operation = executable.subject.operation
    api = [name for name in known.of if name == operation or name.startswith(f"{operation}_")]
    roots = [(0, known.of[name][0]) for name in api]
    for number, image in enumerate(images):
        offsets = next((each for file, each in path.offsets.items() if read_image(file) is image), ())
        addresses = [address for offset in offsets if (address := image.address_of(offset)) is not None]
        roots += [(number, start) for address in addresses if (start := image.function_at(address)) is not None]
    return reachable_bytes(images, roots)


def _size(executable: Executable, name: str, value: int) -> Size:
    return Size(subject=executable.subject, name=name, value=value)


def _executed(stepper: Path, executable: Executable, known: Functions, point: Point, seconds: float) -> _Path:
    name = next((each for each in _names(executable.subject.operation, point.measure) if each in known.of), None)
    if not name:
        return _Path()
    address, entry = (f"{number:x}" for number in (known.of[name][0], known.entry))
    line = f"{point.measure} length={point.length} ad_length={point.ad_length}"
    measure = ("measure", "1", "15", "0", "0", "0", *keypair_cache.arguments(executable), line)
    outcome = sandbox.run(
        [str(stepper), address, entry, str(HIT), str(MOST_INSTRUCTIONS), str(executable.path), *measure],
        limits=sandbox.Limits(seconds=seconds),
        environment=dict(executable.compiler.environment),
        visible=[executable.path, stepper],
        policy=Policy.TRACE,
    )
    lines = [line.split(b" ", 2) for line in outcome.stdout.splitlines()]
    if not lines or lines[0][0] != b"executed":
        return _Path()
    offsets: dict[Path, list[int]] = {}
    for _, offset, file in (line for line in lines if line[0] == b"line" and len(line) == 3):
        offsets.setdefault(Path(os.fsdecode(file)), []).append(int(offset, 16))
    return _Path(counts=tuple(map(int, outcome.stdout.splitlines()[0].split()[1:])), offsets=offsets)


def _names(operation: str, measure: str) -> Iterable[str]:
    """Yield the names that the timed function may have."""
    yield f"{operation}_{measure}"
    if measure == "reject":
        yield f"{operation}_decrypt"
    yield operation
