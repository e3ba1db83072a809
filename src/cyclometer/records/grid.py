# SPDX-License-Identifier: MIT OR Apache-2.0
"""Grid lines, and the values that a user gives instead: `--length 0,40,576-580,0-8192/64 --keys 1,10000 --ad 0,8`.

docs/harness.md defines grid lines.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from cyclometer.errors import CyclometerError

MAX_LENGTH = 1 << 24  # bytes; input, packet and result must fit into the memory of one process
MAX_KEYS = 1 << 20
POINT = ("measure", "length", "ad_length", "keys", "alignment")
"""What identifies a point of a grid; a repetition is the same point."""

Point = tuple[str | int, ...]
"""The values of POINT: a measure and its variables."""

_MAX_STEPS = 1_000_000
_WORD = re.compile(r"(\d{1,18})(?:-(\d{1,18})(?:/(\d{1,18}))?)?", re.ASCII)


def lengths_of(text: str) -> list[range]:
    """Return the values of the option --length, whatever it counts; CyclometerError says what is wrong with them."""
    return _values("--length", text, "list of lengths; give numbers, such as 40,576 or 0-2048/16", 0, MAX_LENGTH)


def keys_of(text: str) -> list[range]:
    """Return the values of the option --keys; CyclometerError says what is wrong with them."""
    return _values("--keys", text, "list of numbers of active keys, such as 1,32,10000", 1, MAX_KEYS)


def ad_lengths_of(text: str) -> list[range]:
    """Return the values of the option --ad, in bytes; CyclometerError says what is wrong with them."""
    return _values("--ad", text, "list of lengths of associated data, such as 0,8,64", 0, MAX_LENGTH)


def _values(option: str, text: str, kind: str, minimum: int, maximum: int) -> list[range]:
    values = []
    for word in "".join(text.split()).split(",") if text else []:
        parts = _WORD.fullmatch(word)
        if not parts:
            raise CyclometerError(f"{option} {text!r} is not a {kind}")
        first, last, step = int(parts[1]), int(parts[2] or parts[1]), int(parts[3] or 1)
        if last < first or not step or (last - first) // step > _MAX_STEPS:
            raise CyclometerError(f"{option} {text!r}: {word} is not a valid range")
        if first < minimum or last > maximum:
            raise CyclometerError(f"{option} {text!r}: {word} is not within {minimum} to {maximum}")
        values.append(range(first, last + 1, step))
    return values


def text_of(values: Iterable[range]) -> str:
    """Return the values as they are written in a grid line."""
    return ",".join(
        str(each[0]) if len(each) == 1 else f"{each[0]}-{each[-1]}" + (f"/{each.step}" if each.step > 1 else "")
        for each in values
    )


def texts_asked(length: str, keys: str) -> tuple[str, str]:
    """Return the values of --length and --keys as in a grid line; if only lengths are given, keys are 1."""
    return text_of(lengths_of(length)), text_of(keys_of(keys)) or ("1" if length else "")


def with_values(grid: Sequence[str], lengths: str, keys: str, ad_lengths: str = "") -> tuple[str, ...]:
    """Return the lines of a profile with other lengths, numbers of active keys and lengths of associated data.

    Lines with `keys=` combine every length with every number of keys; without `keys`, they stay as they are.
    """
    if ad_lengths:
        grid = [_replaced(line, ad_length=text_of(ad_lengths_of(ad_lengths))) for line in grid]
    keyed = [line for line in grid if _has(line, "keys")]
    plain = [line for line in grid if line not in keyed]
    if lengths:
        plain = [_replaced(line, length=text_of(lengths_of(lengths))) for line in plain]
    if keys:
        keyed = [line for each in _by_measure(keyed) for line in _with_keys(each, lengths_of(lengths), keys_of(keys))]
    return (*plain, *keyed)


def points_of(line: str) -> set[tuple[str | int, ...]]:
    """Return the points of a grid line: the values of POINT."""
    defaults = {"keys": [range(1, 2)]}
    variables = [_values_of(line, name) or defaults.get(name, [range(1)]) for name in POINT[1:]]
    values = ([value for each in ranges for value in each] for ranges in variables)
    return set(itertools.product([_measure(line)], *values))


def has_lengths(grid: Iterable[str]) -> bool:
    """Return whether a line has a variable `length`."""
    return any(_has(line, "length") for line in grid)


def has_ad(grid: Iterable[str]) -> bool:
    """Return whether a line has a variable `ad_length`."""
    return any(_has(line, "ad_length") for line in grid)


def without_ad(grid: Iterable[str]) -> tuple[str, ...]:
    """Return the lines without associated data, for a system that takes none."""
    return tuple(dict.fromkeys(_replaced(line, ad_length="0") for line in grid))


def with_one_key(grid: Iterable[str]) -> tuple[str, ...]:
    """Return the lines that do not vary the number of active keys."""
    return tuple(line for line in grid if not _has(line, "keys"))


def has_keys(grid: Iterable[str]) -> bool:
    """Return whether a line has a variable `keys`."""
    return any(_has(line, "keys") for line in grid)


def _with_keys(lines: Sequence[str], lengths: Sequence[range], keys: Sequence[range]) -> list[str]:
    """Return the lines of one measure for other numbers of keys, merged if their lengths are the same.

    A single key is left out, because lines without `keys=` measure it, unless one of these lines has it.
    """
    merged: dict[str, list[range]] = {}
    with_one = any(1 in each for line in lines for each in _values_of(line, "keys"))
    for key in sorted({key for each in keys for key in each}):
        if key > 1 or with_one:
            line = _line_for(key, lines)
            line = _replaced(line, length=text_of(lengths)) if lengths else line
            merged.setdefault(line, []).append(range(key, key + 1))
    return [_replaced(line, keys=text_of(numbers)) for line, numbers in merged.items()]


def _line_for(key: int, lines: Sequence[str]) -> str:
    """Return the line for that number of keys: the one that starts nearest below it, else the lowest."""
    below = [line for line in lines if _min_keys(line) <= key]
    return max(below, key=_min_keys) if below else min(lines, key=_min_keys)


def _by_measure(lines: Iterable[str]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for line in lines:
        groups.setdefault(_measure(line), []).append(line)
    return list(groups.values())


def _measure(line: str) -> str:
    return line.split(maxsplit=1)[0]


def _has(line: str, name: str) -> bool:
    return any(word.startswith(f"{name}=") for word in line.split())


def _values_of(line: str, name: str) -> list[range]:
    """Return the values of a variable in a line."""
    text = next((word.partition("=")[2] for word in line.split() if word.startswith(f"{name}=")), "")
    return _values(line, text, "grid line", 0, 1 << 31)


def _min_keys(line: str) -> int:
    return min((each[0] for each in _values_of(line, "keys")), default=1)


def _replaced(line: str, **values: str) -> str:
    """Return the line with these values for those of the variables that it has."""
    words = (word.partition("=") for word in line.split())
    return " ".join(f"{name}={values.get(name, value)}" if equals else name for name, equals, value in words)
