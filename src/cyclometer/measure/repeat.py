# SPDX-License-Identifier: MIT OR Apache-2.0
"""Repeats timed calls in other processes, with the inputs that they had (verb `repeat`, harness/runtime/repeat.c)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cyclometer.execute import sandbox
from cyclometer.execute.conversation import Conversation, NoAnswer
from cyclometer.execute.page_copies import PageCopies
from cyclometer.execute.timed import converse
from cyclometer.records.executable import Executable

SECONDS = 300.0  # of a process that repeats calls, at most
FRESH, FRESH_END = 1000, 900_000  # numbers of timings and series that no process has measured

Row = dict[str, Any]
"""A sample: the columns of RECORD in process.py."""

__all__ = ["FRESH", "FRESH_END", "NoAnswer", "Repeated", "Repeater", "Repetition", "Row", "Ticks", "request"]


@dataclass(frozen=True, kw_only=True)
class Ticks:
    """The counter that took the timings."""

    per_second: float  # 0: unknown, and then no clock is looked at
    step: float = 1.0
    steady: bool = True  # whether they always last the same, unlike core cycles
    chain_cycles: int = 0  # of the chain that is timed beside the samples
    chain: float = 0.0  # units that it takes, when the counter was tried
    chain_now: Callable[[], float] = lambda: 0.0  # tries it again
    slowdown: Callable[[], float] = lambda: 1.0  # how many times as long code of ours takes now as at its fastest


def request(row: Row, first: int, count: int, kind: str = "calls", number: int | None = None) -> str:
    """Return the line that asks for timings of a sample, from number `first` on; `number` is that of the series."""
    names = ("measure", "length", "ad_length", "keys", "alignment", "repetition")
    number = row["number"] if number is None else number
    return " ".join([kind, *(str(row[name]) for name in names), str(number), str(row["inputs"]), f"{first} {count}"])


@dataclass(frozen=True, kw_only=True)
class Repeated:
    """What the calls of one line computed."""

    who: str  # can compute it again: any, own (the same executable) or nobody, ''
    digests: tuple[str, ...]  # none if nobody can
    counts: tuple[int, ...]  # how long the first of them took, in counter units, by the process itself
    around: int = 0  # how long it took to digest or try what all of them have computed

    @classmethod
    def of(cls, record: str) -> Repeated:
        """Read a `repeated` record."""
        _, outputs, counts, around = record.split("\t")
        who, *digests = outputs.split(",")
        numbers = tuple(int(count) for count in counts.split(",") if count)
        return cls(who=who, digests=tuple(digests), counts=numbers, around=int(around))

    @property
    def every_output(self) -> str:
        """Return who can compute the outputs of all calls again and, unless nobody can, their digests."""
        return ",".join([self.who, *self.digests])

    def output(self, index: int) -> str:
        """Return who can compute the output of a call again and, unless nobody can, its digest."""
        return ",".join([self.who, *self.digests[index : index + 1]])


class Repetition:
    """A process that repeats calls."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def ask(self, requests: Sequence[str]) -> list[Repeated]:
        """Return what the calls of each line computed; NoAnswer if it fails."""
        lines = self._conversation.ask(requests, "repeated\t") if requests else []
        try:
            return [Repeated.of(line) for line in lines if line.startswith("repeated\t")]
        except ValueError as error:
            raise NoAnswer("emits malformed records") from error

    def makes_inputs(self, row: Row) -> bool:
        """Return whether calls of a sample have inputs that the code itself makes."""
        return self.made([request(row, FRESH, 1, "made", FRESH)]) != [""]

    def made(self, requests: Sequence[str]) -> list[str]:
        """Return the input that the code itself makes for the call of each line, in hex; '' if there is none."""
        made = [""]
        for line in self._conversation.ask(requests, "repeated\t"):
            kind, _, text = line.partition("\t")
            if kind == "made":
                made[-1] = text
            elif kind == "repeated":
                made.append("")
        return made[:-1]

    def cpu_seconds(self) -> float:
        """Return the CPU time that the process has used so far, by the kernel's clock."""
        return self._conversation.cpu_seconds()

    def used_seconds(self) -> float:
        """Return the same; 0 while it has not answered, and when it has ended."""
        return self._conversation.used_seconds()

    def timed(self, requests: Sequence[str]) -> tuple[list[Repeated], float]:
        """Return what the calls computed, and the CPU time they took with preparing them and answering."""
        before = self.cpu_seconds()
        answers = self.ask(requests)
        return answers, self.cpu_seconds() - before


@dataclass(frozen=True, kw_only=True)
class Repeater:
    """Starts processes that repeat the calls of one process, each in other pages of memory if there are `copies`."""

    arguments: tuple[str, ...]  # of its verb `measure`
    core: int | None
    seconds: float = SECONDS
    copies: PageCopies | None = None

    @contextmanager
    def start(self, executable: Executable) -> Iterator[Repetition]:
        """Start a process of this executable; it ends with the block."""
        limits = sandbox.Limits(seconds=min(SECONDS, self.seconds))
        words, copies = ("repeat", *self.arguments), self.copies
        with converse(executable, *words, cpu=self.core, limits=limits, copies=copies) as conversation:
            yield Repetition(conversation)
