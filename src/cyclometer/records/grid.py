# SPDX-License-Identifier: MIT OR Apache-2.0
"""Grid lines, and the values that a user gives in their place: `--length 0,40,576-580,0-8192/64 --keys 1,10000`.

docs/harness.md says what a grid line is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cyclometer.errors import CyclometerError

MOST_LENGTH = 1 << 24  # bytes: input, packet and result have to fit into the memory of one process
MOST_KEYS = 1 << 20
_MOST_STEPS = 1_000_000
_WORD = re.compile(r"(\d{1,18})(?:-(\d{1,18})(?:/(\d{1,18}))?)?", re.ASCII)


def lengths_of(text: str) -> list[range]:
    """The values of an option --length; CyclometerError says what is wrong with it."""
    return _values("--length", text, "list of lengths; give bytes, such as 40,576 or 0-2048/16", 0, MOST_LENGTH)


def keys_of(text: str) -> list[range]:
    """Those of an option --keys."""
    return _values("--keys", text, "list of numbers of active keys; give some, such as 1,32,10000", 1, MOST_KEYS)


def _values(option: str, text: str, kind: str, least: int, most: int) -> list[range]:
    found = []
    for word in "".join(text.split()).split(",") if text else []:
        parts = _WORD.fullmatch(word)
        if not parts:
            raise CyclometerError(f"{option} {text!r} is no {kind}")
        first, last, step = int(parts[1]), int(parts[2] or parts[1]), int(parts[3] or 1)
        if last < first or not step or (last - first) // step > _MOST_STEPS:
            raise CyclometerError(f"{option} {text!r}: {word} is no range")
        if first < least or last > most:
            raise CyclometerError(f"{option} {text!r}: {word} is not within {least} to {most}")
        found.append(range(first, last + 1, step))
    return found


def text_of(values: Iterable[range]) -> str:
    """As a grid line has them."""
    return ",".join(
        str(each[0]) if len(each) == 1 else f"{each[0]}-{each[-1]}" + (f"/{each.step}" if each.step > 1 else "")
        for each in values
    )


def texts_asked(length: str, keys: str) -> tuple[str, str]:
    """Those of --length and --keys; with lengths alone it is one key."""
    return text_of(lengths_of(length)), text_of(keys_of(keys)) or ("1" if length else "")


def with_values(grid: Sequence[str], lengths: str, keys: str) -> tuple[str, ...]:
    """The lines of a profile with other lengths and, where a line is about active keys, numbers of keys: every length
    with every number. Without `keys`, lines about keys stay as they are."""
    pool = [line for line in grid if _has(line, "keys")]
    plain = [line for line in grid if line not in pool]
    if lengths:
        plain = [_replaced(line, length=text_of(lengths_of(lengths))) for line in plain]
    if keys:
        pool = [line for each in _by_measure(pool) for line in _pool(each, lengths_of(lengths), keys_of(keys))]
    return (*plain, *pool)


def has_lengths(grid: Iterable[str]) -> bool:
    """Whether there is a length to choose."""
    return any(_has(line, "length") for line in grid)


def has_keys(grid: Iterable[str]) -> bool:
    """Whether there is a number of active keys to choose."""
    return any(_has(line, "keys") for line in grid)


def _pool(lines: Sequence[str], lengths: Sequence[range], keys: Sequence[range]) -> list[str]:
    """The lines of one measure for other numbers of keys; those for the same lengths are one. A single key is
    what the other lines measure, unless it stands here, too."""
    alike: dict[str, list[range]] = {}
    with_one = any(1 in each for line in lines for each in _of(line, "keys"))
    for key in sorted({key for each in keys for key in each}):
        if key > 1 or with_one:
            like = _line_for(key, lines)
            like = _replaced(like, length=text_of(lengths)) if lengths else like
            alike.setdefault(like, []).append(range(key, key + 1))
    return [_replaced(line, keys=text_of(several)) for line, several in alike.items()]


def _line_for(key: int, lines: Sequence[str]) -> str:
    """The line that is about so many keys, or the nearest below, or the least."""
    below = [line for line in lines if _least_keys(line) <= key]
    return max(below, key=_least_keys) if below else min(lines, key=_least_keys)


def _by_measure(lines: Iterable[str]) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        found.setdefault(_measure(line), []).append(line)
    return list(found.values())


def _measure(line: str) -> str:
    return line.split(maxsplit=1)[0]


def _has(line: str, name: str) -> bool:
    return any(word.startswith(f"{name}=") for word in line.split())


def _of(line: str, name: str) -> list[range]:
    """The values that a line has of a variable."""
    text = next((word.partition("=")[2] for word in line.split() if word.startswith(f"{name}=")), "")
    return _values(line, text, "grid line", 0, 1 << 31)


def _least_keys(line: str) -> int:
    return min((each[0] for each in _of(line, "keys")), default=1)


def _replaced(line: str, **values: str) -> str:
    """A line with other values of the variables that it has."""
    words = (word.partition("=") for word in line.split())
    return " ".join(f"{name}={values.get(name, value)}" if equals else name for name, equals, value in words)
