# SPDX-License-Identifier: MIT OR Apache-2.0
"""Placement: what is cold, where things lie, and the layouts of an executable."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from cyclometer.errors import CyclometerError, UnknownName
from cyclometer.records.columns import INT16, INT32, TEXT, Types

Item = TypeVar("Item")

COLD = ("code", "tables", "key", "input", "output", "tlb", "predictor", "vector")
"""What can be made cold by itself; the number of each is its bit in enum cold (harness/evict/evict.h)."""

ALL = "all"
CALL_SITES = 8
MAX_ALIGNMENT = 4095  # addresses are given modulo a page
MAX_BETWEEN = 2048  # KiB of other code, as in evict.h
_PAGE, _ENVIRONMENT_STEP = 4096, 16

PLACEMENT: Types = {
    "output_alignment": INT16,  # address of the output modulo 64, or from 64 on modulo 4096
    "key_alignment": INT16,
    "cold": TEXT,  # '' if nothing is, else a name of COLD, names joined by +, or `all`
    "call_site": INT16,  # 1 to 8: which copy of the timed loop; 0 of an ordinary sample
    "between": INT32,  # KiB of other code before each timing
    "link": INT16,  # which order and padding the objects were linked with; 0: the ordinary
    "environment": INT16,  # which size of the environment and offset of the stack; 0: the ordinary
    "trial": INT16,  # number of the series among those of its cell in this process
}
"""The columns of samples that only placement has; of ordinary samples and older runs they are 0 or empty."""


@dataclass(frozen=True, kw_only=True)
class PlacementOptions:
    """The variables of placement asked for; empty means that it does not vary."""

    cold: tuple[str, ...] = ()
    alignments: tuple[int, ...] = ()  # of the input, and of the output unless it has its own
    output_alignments: tuple[int, ...] = ()
    key_alignments: tuple[int, ...] = ()
    call_sites: int = 0
    between: tuple[int, ...] = ()
    layouts: int = 0
    every_length: bool = False  # else the shortest, the longest and a typical one
    by_plan: bool = False  # the default plan, in which a measure that lacks a buffer is no news
    cold_sites: int = 1  # the call sites, the first ones, at which things are cold

    @property
    def asks(self) -> bool:
        """Whether anything is asked for."""
        return any(
            (
                self.cold,
                self.alignments,
                self.output_alignments,
                self.key_alignments,
                self.call_sites,
                self.between,
                self.layouts,
            )
        )


PLACEMENT_PROFILE = "placement"
"""The profile: the quick grid, and the default plan."""

PLACEMENT_VIEW = "placement"
"""The view that shows it: `cyclometer table --by placement`."""

DEFAULT_PLAN = PlacementOptions(
    cold=(*COLD, ALL),
    alignments=(0, 1, 63),
    call_sites=CALL_SITES,
    between=(0, 8, 16, 32, 64, 256, 1024),
    layouts=8,
    by_plan=True,
)
"""What the profile `placement` measures."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """One way in which an executable is linked and started, drawn from its two numbers."""

    link: int = 0
    environment: int = 0

    @property
    def padding(self) -> int:
        """Bytes before the text."""
        return random.Random(f"link {self.link}").randrange(_PAGE) if self.link else 0

    @property
    def environment_bytes(self) -> int:
        """Bytes by which the environment is larger: a multiple of 16 up to a page."""
        return _ENVIRONMENT_STEP * self._drawn(0) if self.environment else 0

    @property
    def stack_bytes(self) -> int:
        """Bytes by which the stack of the timed calls starts lower."""
        return _ENVIRONMENT_STEP * self._drawn(1) if self.environment else 0

    @property
    def fixed_addresses(self) -> bool:
        """Whether addresses are not randomised: of every other environment."""
        return self.environment % 2 == 1

    def order(self, items: Sequence[Item]) -> list[Item]:
        """Return the objects in the order to link them."""
        ordered = list(items)
        if self.link:
            random.Random(f"order {self.link}").shuffle(ordered)
        return ordered

    def _drawn(self, which: int) -> int:
        return random.Random(f"environment {self.environment} {which}").randrange(_PAGE // _ENVIRONMENT_STEP + 1)


ORDINARY = Layout()
"""The layout in which an executable is checked, and chosen."""

_SIZES = re.compile(r"executed_[a-z]+_.+|evicted_[a-z]+_(percent|level)|code_line_cost")


def is_size_of_placement(name: str) -> bool:
    """Return whether a stored size belongs to one point or one process of placement, and not to the tuning."""
    return _SIZES.fullmatch(name) is not None


def cold_of(text: str) -> tuple[str, ...]:
    """Return what --cold names, in the order of COLD and `all` last; UnknownName for anything else."""
    words = [word for word in "".join(text.split()).split(",") if word]
    for word in words:
        if word not in (*COLD, ALL):
            raise UnknownName("--cold", word, (*COLD, ALL), "one of " + ", ".join((*COLD, ALL)))
    if text and not words:
        raise CyclometerError(f"--cold {text!r} names nothing; give some of {', '.join((*COLD, ALL))}")
    return tuple(name for name in (*COLD, ALL) if name in words)


def bits_of(name: str) -> int:
    """Return the set of bits of one value of the column `cold`."""
    return (1 << len(COLD)) - 1 if name == ALL else 1 << COLD.index(name) if name else 0


def cold_name(bits: int) -> str:
    """Return the value of the column `cold` for a set of bits."""
    names = [name for number, name in enumerate(COLD) if bits >> number & 1]
    return ALL if len(names) == len(COLD) else "+".join(names)


def numbers_of(option: str, text: str, most: int) -> tuple[int, ...]:
    """Return the numbers of an option such as --alignment 0,1,63; CyclometerError if one is not within 0 to `most`."""
    words = [word for word in "".join(text.split()).split(",") if word]
    for word in words:
        if not (word.isascii() and word.isdigit() and int(word) <= most):
            raise CyclometerError(f"{option} {text!r}: {word} is not a number within 0 to {most}")
    if text and not words:
        raise CyclometerError(f"{option} {text!r} names no number; give some within 0 to {most}, such as 0,1")
    return tuple(dict.fromkeys(int(word) for word in words))


def alignments_of(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the options of Options that --alignment names: `0,1,63` for input and output, `key=0,1` for one buffer."""
    names = {"": "alignments", "input": "alignments", "output": "output_alignments", "key": "key_alignments"}
    values: dict[str, tuple[int, ...]] = {}
    for text in texts:
        buffer, equals, numbers = text.rpartition("=")
        if buffer not in names or (equals and not buffer):
            raise UnknownName(
                "buffer", buffer, ("input", "output", "key"), "--alignment input=N,N, output=N,N or key=N,N"
            )
        values[names[buffer]] = numbers_of("--alignment", numbers, MAX_ALIGNMENT)
    return values
