# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares the timings of a process with the CPU time that the kernel counts while it repeats such calls.

A process could report other timings than it took: its timer and its records are in its own memory. But it cannot
compute outputs, which are compared afterwards, in less CPU time than that takes. What it takes to prepare the calls and
to digest their outputs is subtracted.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import psutil

from cyclometer.measure.repeat import FRESH, FRESH_END, Repeated, Repetition, Row, Ticks, request
from cyclometer.records.grid import POINT
from cyclometer.records.several_values import trimmed_mean_of_several

SECONDS = 0.003  # of calls that are made in a row, by their timings
MOST_CALLS = 20_000
LONGEST_SECONDS = 0.012  # of calls that are made in a row, with preparing them, by the kernel's clock
LONG = SECONDS / 8  # seconds of a call: few of them fit, and their times may depend on their inputs
ENOUGH_TIMINGS = 3  # of long calls, to know what such a call may take with other inputs
FEW = 8
# Inputs that are made beforehand serve all calls of a line, whose result could be remembered. Calls that take longer
# than this have a line each, at most so many.
APART, MOST_APART = 100e-6, 32
# Times the timings: usually; on a busy machine; while another guest is on the core; with a varying clock. Honest code
# took up to 1.9 times beside another guest (24 hash functions and MACs by all compilers, Zen 4).
LIMIT, BUSY_LIMIT, SLOWED_LIMIT, LOOSE_LIMIT = 1.5, 1.8, 2.5, 4.0
SLACK_COUNTS = 100  # for each call
LOOP_COUNTS = 300  # for each call that is repeated: reading the counter around it several times, and the loop itself
SLACK_SECONDS = 50e-6  # for waking the process up
SLACK_PREPARING = 0.05  # of preparing is subtracted besides, as it varies: an RSA signature takes 200 verifications
ATTEMPTS, FIRST_PAUSE = 8, 0.01
BUSY_ATTEMPTS, LONGEST_PAUSE = 14, 1.0  # on a busy machine
# Another guest on the core makes it half as fast, for milliseconds or seconds, as code of ours shows. Its end is
# awaited, and calls at whose end it is there prove nothing. If it stays, calls between two moments in which it is there
# have a higher limit.
SLOWED_ABOVE, SLOWED_SECONDS, SLOWED_PAUSE = 1.1, 8.0, 0.1
FEW_ATTEMPTS = 2  # of a look that is not the only one: another follows, or went before
CLOCK_STEP = 0.01  # seconds: the kernel counts the CPU time of all programs in such steps
BUSY_SHARE = 0.25  # of a core that other programs use
CHECKED = 3  # outputs of the calls
AT_ONCE = 100  # calls whose counts a line returns
MUCH_SLOWER = 8.0  # times what the partner takes to make an input, where both are equally fast in the call
SAME_PREPARING = 2.0  # times what the partner takes to prepare the same calls, where only the harness's code does it


@dataclass(frozen=True, kw_only=True)
class Calls:
    """Lines that repeat calls of a sample, and the seconds that they take by its timings."""

    row: Row
    lines: tuple[str, ...]  # one for all calls, or one for each
    first: int  # number of the first timing
    count: int
    seconds: float

    def line(self, index: int) -> str:
        """Return a line for one of the calls."""
        return self.lines[index] if len(self.lines) == self.count else request(self.row, self.first + index, 1)


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a look at the clock shows, and outputs of the calls that were made: those of an idle process are wrong."""

    slower: str  # how much longer calls take than their timings say; '' if they do not
    outputs: Sequence[tuple[str, str]]  # line for `repeat`, output


def typical(row: Row) -> float:
    """Return the mean of the middle half of a series, which neither a timer's steps nor a long timing distort."""
    series = sorted(row["series"])
    quarter: int = len(series) // 4
    return statistics.fmean(series[quarter : len(series) - quarter])


def _faster_half(row: Row) -> list[int]:
    """Return the numbers of the faster timings of a series."""
    series = row["series"]
    return sorted(range(len(series)), key=series.__getitem__)[: (len(series) + 1) // 2]


def _timed_calls(
    own: Repetition, lines: Sequence[str], most_preparing: float = float("inf")
) -> tuple[list[Repeated], float]:
    """Make the calls of these lines; return the answers, and the CPU time without what preparing the calls takes.

    Code that makes the inputs itself may waste time when no call follows, and so may code that the C library calls when
    a line is read: so no more than `most_preparing` seconds are subtracted.
    """
    answers, took = own.timed(lines)
    preparing = own.timed([_only_prepared(line) for line in lines])[1]
    return answers, took - (1 + SLACK_PREPARING) * min(preparing, most_preparing)


def _only_prepared(line: str) -> str:
    kind, _, rest = line.partition(" ")
    return f"{'taken' if kind == 'given' else 'inputs'} {rest}"


def _mean_of_several(row: Row) -> float | None:
    """Return the mean of timings that have several values; None if they do not."""
    return trimmed_mean_of_several(sorted(row["series"]), 0)


def _expected(row: Row, per_second: float) -> float:
    """Return the seconds that a call with another input should take."""
    several = _mean_of_several(row)
    return max(1.0, typical(row) if several is None else several) / per_second


def calls_of(row: Row, per_second: float, rng: random.Random, most: int) -> Calls:
    """Draw at most this many calls: with new inputs, because code could foresee the measured ones.

    Of calls so long that fewer than ENOUGH_TIMINGS are known, take some that were measured, not the slowest: a key pair
    may take four times as long as another.
    """
    each = _expected(row, per_second)
    if each > LONG and row["outputs"] and len(row["series"]) < ENOUGH_TIMINGS:
        return _measured_calls(row, per_second, rng, max(1, min(FEW, most, int(SECONDS / each))))
    count = max(1, min(most, int(SECONDS / each)))
    first = rng.randrange(FRESH, FRESH_END)
    if row["inputs"] > 1 and each > APART:
        count = min(count, MOST_APART)
        lines = tuple(request(row, first + index, 1) for index in range(count))
    else:
        lines = (request(row, first, count),)
    return Calls(row=row, lines=lines, first=first, count=count, seconds=count * each)


def _measured_calls(row: Row, per_second: float, rng: random.Random, most: int) -> Calls:
    """Draw at most so many of the calls that were measured."""
    series, faster = row["series"], _faster_half(row)
    chosen = rng.sample(faster, min(most, len(faster)))
    lines = tuple(request(row, row["first"] + index, 1) for index in chosen)
    seconds = sum(series[index] for index in chosen) / per_second
    return Calls(row=row, lines=lines, first=row["first"] + chosen[0], count=len(chosen), seconds=seconds)


def _given_calls(row: Row, per_second: float, rng: random.Random, most: int, maker: Repetition) -> Calls:
    """Draw at most this many calls with inputs that another process makes."""
    each = _expected(row, per_second)
    count = max(1, min(most, MOST_APART, int(SECONDS / each)))
    numbers = rng.sample(range(FRESH, FRESH_END), count)
    inputs = maker.made([request(row, FRESH, 1, "made", number) for number in numbers])
    lines = tuple(
        f"{request(row, FRESH, 1, 'given', number)} {made}" for number, made in zip(numbers, inputs, strict=True)
    )
    return Calls(row=row, lines=lines, first=FRESH, count=count, seconds=count * each)


def look(
    own: Repetition,
    row: Row,
    ticks: Ticks,
    rng: random.Random,
    *,
    partner: Repetition | None = None,
    maker: Repetition | None = None,
    slowness: Callable[[], float] | None = None,
    allocates: bool = False,
    alone: bool = True,
    attempts: int = ATTEMPTS,
) -> Look:
    """Repeat calls of a sample and look at the clock, so many times if they seem slow: a slow moment has time to pass.

    If it is not `alone` on this machine, what seems slow may be so because of its neighbour.
    What the process says of the time for its outputs is bounded by what the `partner`, an independent implementation,
    needs for the same ones. Trying a key calls the code again, though: what then seems slow may take as many times as
    long as it does elsewhere (`slowness`). Inputs that the code makes itself come from the `maker`, another process of
    it; those of short calls do not. Otherwise the partner bounds the time that preparing calls may take.
    Of code that `allocates` memory for each key, as libraries do, one call in ten takes ten times as long.
    """
    row = under_one_key(row)
    per_second = ticks.per_second
    slack = (SLACK_COUNTS + LOOP_COUNTS + ticks.step) / per_second  # a coarse counter may show a call as nothing
    most_around = _around(partner, row) if partner else float("inf")
    least_limit = LIMIT if ticks.steady and not allocates else LOOSE_LIMIT
    most = _most_calls(own, row, per_second)
    if not maker or min(row["series"]) / per_second <= APART or not _make_the_same(own, maker, row, rng):
        maker = None
    most_preparing = _most_preparing(own, None if maker else partner, row, per_second)
    pause, least, claimed = FIRST_PAUSE, float("inf"), 0.0
    checked: list[tuple[str, str]] = []
    pauses = Pauses(own, ticks)
    while attempts:
        attempts -= 1
        draw = partial(_given_calls, maker=maker) if maker else calls_of
        calls = draw(row, per_second, rng, most)
        answers, took = _timed_calls(own, calls.lines, most_preparing(calls))
        around = sum(answer.around for answer in answers)
        took -= min(around, most_around * calls.count) / per_second
        checked += _some_outputs(calls, answers, rng)
        limit = max(least_limit, _limit(row, calls.count), pauses.limit_beside_guest())
        if took <= limit * calls.seconds + calls.count * slack + SLACK_SECONDS:
            return Look(slower="", outputs=checked)
        if took / calls.seconds < least:
            least, claimed = took / calls.seconds, calls.seconds / calls.count
        if slowness:
            most_around *= max(1.0, slowness())
            slowness = None
        if alone and pauses.are_due_to_guest(pause):
            attempts += 1
        pauses.wait(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
        if alone and pauses.end_at_full_speed() and least_limit < BUSY_LIMIT and pauses.show_others():
            least_limit, attempts = BUSY_LIMIT, attempts + BUSY_ATTEMPTS - ATTEMPTS
    if not row["outputs"] and _takes_as_long_with_measured_inputs(own, row, ticks, slack):
        return Look(slower="", outputs=checked)
    slower = f"takes {least:.1f} times the {1e6 * claimed:.3g} microseconds that its timings say, by the kernel's clock"
    return Look(slower=slower, outputs=checked)


def _make_the_same(own: Repetition, maker: Repetition, row: Row, rng: random.Random) -> bool:
    """Return whether calls have inputs that the code makes, and both make the same: their key pairs may differ."""
    line = request(row, FRESH, 1, "made", rng.randrange(FRESH, FRESH_END))
    made = own.made([line])
    return made != [""] and made == maker.made([line])


def _most_preparing(
    own: Repetition, partner: Repetition | None, row: Row, per_second: float
) -> Callable[[Calls], float]:
    """Return a function that tells the most seconds which preparing calls may take, by what the partner takes."""
    if not partner:
        return lambda _: float("inf")
    if not own.makes_inputs(row):
        return partial(_preparing_the_same, partner)
    each = _making_an_input(partner, row, per_second)
    return lambda calls: calls.count * each


def _preparing_the_same(partner: Repetition, calls: Calls) -> float:
    """Return the most seconds for calls whose inputs the harness alone makes.

    Code under test has nothing to do there, but it may have seen to it that the C library calls it.
    """
    preparing = partner.timed([_only_prepared(line) for line in calls.lines])[1]
    return SAME_PREPARING * preparing + len(calls.lines) * SLACK_SECONDS


def _making_an_input(partner: Repetition, row: Row, per_second: float) -> float:
    """Return the most seconds that making the input of a call may take, by what both take for the call itself."""
    theirs = _theirs(partner, row)
    count = max(FEW, min(AT_ONCE, int(SECONDS / 4 * per_second / theirs)))
    preparing = partner.timed([request(row, FRESH - AT_ONCE, count, "inputs")])[1] / count
    return MUCH_SLOWER * max(1.0, typical(row) / theirs) * preparing


def _theirs(partner: Repetition, row: Row) -> float:
    """Return how many counter units a call takes the partner."""
    partner.ask([request(row, FRESH - AT_ONCE, 1)])
    [answer] = partner.ask([request(row, FRESH - AT_ONCE, FEW)])
    return max(1.0, statistics.median(answer.counts))


def slowness(row: Row, partner: Repetition) -> float:
    """Return how many times as long as the partner's a call of a sample takes."""
    row = under_one_key(row)
    return typical(row) / _theirs(partner, row)


def pooled(row: Row, rows: Sequence[Row]) -> Row:
    """Return a sample with the timings of all samples of its point, among `rows`, if it has few, or several values.

    Where that makes ENOUGH_TIMINGS, none of them is repeated, so it is no matter which inputs they had.
    """
    if not row["outputs"] or (len(row["series"]) >= FEW and _mean_of_several(row) is None):
        return row
    point = [row[name] for name in POINT]
    series = [timing for each in rows if [each[name] for name in POINT] == point for timing in each["series"]]
    return {**row, "series": series} if len(series) >= ENOUGH_TIMINGS else row


def under_one_key(row: Row) -> Row:
    """Return the sample with one key, which has no other costs than many: those that leave the caches."""
    return {**row, "keys": min(row["keys"], 1)}


def _takes_as_long_with_measured_inputs(own: Repetition, row: Row, ticks: Ticks, slack: float) -> bool:
    """Return whether calls take as long as measured with the same inputs: rejecting may be faster for some than others.

    The process counts these few short calls itself. The clock tells, by many calls with other inputs, whether it counts
    right.
    """
    [answer], took = _timed_calls(own, [request(row, FRESH, AT_ONCE)])
    counted = (sum(answer.counts) + answer.around) / ticks.per_second
    if took > LIMIT * counted + AT_ONCE * slack + SLACK_SECONDS:
        return False
    again = own.ask([request(row, row["first"] + index, 1) for index in _faster_half(row)])
    most = LOOSE_LIMIT * typical(row) + slack * ticks.per_second
    return statistics.median(answer.counts[0] for answer in again) <= most


def _most_calls(own: Repetition, row: Row, per_second: float) -> int:
    """Return how many calls fit into LONGEST_SECONDS, with preparing them; the first one warms the process up."""
    seconds, count = 0.0, 1
    own.ask([request(row, FRESH - FEW, 1)])
    if typical(row) / per_second >= LONGEST_SECONDS:
        return 1
    for count in (1,) if row["inputs"] > 1 else (1, FEW):
        _, seconds = own.timed([request(row, FRESH - FEW, count)])
        if seconds > LONGEST_SECONDS / FEW:
            break
    return max(1, min(MOST_CALLS, int(LONGEST_SECONDS * count / max(1e-9, seconds))))


def _around(partner: Repetition, row: Row) -> float:
    """Return the most counter units that may pass for digesting or trying the output of a call."""
    partner.ask([request(row, FRESH - FEW, 1)])
    [answer] = partner.ask([request(row, FRESH - FEW, FEW)])
    return LIMIT * answer.around / FEW + SLACK_COUNTS


def _some_outputs(calls: Calls, answers: Sequence[Repeated], rng: random.Random) -> list[tuple[str, str]]:
    """Draw calls whose outputs others are to compute again: the line for each, and the output."""
    if len(calls.lines) == calls.count:
        return [(line, answer.output(0)) for line, answer in zip(calls.lines, answers, strict=False)][:CHECKED]
    same_input = range(0, calls.count, max(1, calls.row["inputs"]))  # all calls of a line have the first one's
    indices = rng.sample(same_input, min(CHECKED, len(same_input)))
    return [(calls.line(index), answers[0].output(index)) for index in indices]


class Pauses:
    """Pauses in which this program does nothing, so that whoever uses the cores is another one."""

    def __init__(self, own: Repetition, ticks: Ticks) -> None:
        self._own, self._ticks = own, ticks
        self._waited = self._used = 0.0  # seconds; of other programs
        self._slowed = 0.0  # seconds
        self._ended_slowed = False

    def wait(self, seconds: float) -> None:
        """Wait, and see how much other programs use the cores; what the process itself does is none of theirs."""
        used, own = _used_seconds(), self._own.cpu_seconds()
        time.sleep(seconds)
        self._used += _used_seconds() - used - (self._own.cpu_seconds() - own)
        self._waited += seconds

    def end_at_full_speed(self) -> bool:
        """Wait while the core is slowed down; return whether it no longer is, after SLOWED_SECONDS in all."""
        while self._is_slowed() and self._slowed < SLOWED_SECONDS:
            time.sleep(SLOWED_PAUSE)
            self._slowed += SLOWED_PAUSE
        self._ended_slowed = self._slowed >= SLOWED_SECONDS and self._is_slowed()
        return not self._ended_slowed

    def are_due_to_guest(self, pause: float) -> bool:
        """Return whether a guest is on the core after calls, which prove nothing; the pause that follows is for it.

        Never after SLOWED_SECONDS of waiting in all.
        """
        if self._slowed >= SLOWED_SECONDS or not self._is_slowed():
            return False
        self._slowed += pause
        return True

    def limit_beside_guest(self) -> float:
        """Return the limit for calls since the last pause if the core was slowed down at its end, and still is."""
        return SLOWED_LIMIT if self._ended_slowed and self._is_slowed() else LIMIT

    def _is_slowed(self) -> bool:
        return self._ticks.slowdown() > SLOWED_ABOVE

    def show_others(self) -> bool:
        """Return whether other programs want the cores, which slows caches and the two halves of a core down."""
        return self._used > BUSY_SHARE * self._waited + CLOCK_STEP


def _used_seconds() -> float:
    """Return the CPU time that all programs have used, those of other guests included as far as the kernel knows."""
    times = psutil.cpu_times()
    return sum(getattr(times, name, 0.0) for name in ("user", "nice", "system", "irq", "softirq", "steal"))


def _limit(row: Row, count: int) -> float:
    """Return the limit for so many calls with other inputs, which is higher if times vary with the inputs.

    Then neither these calls nor the timings show exactly what a call takes.
    """
    if len(row["series"]) < 4:
        return LOOSE_LIMIT
    low, middle, high = statistics.quantiles(row["series"])
    spread: float = (high - low) / max(1.0, middle)
    error = spread * math.sqrt(1 / count + 1 / len(row["series"]))
    return min(LOOSE_LIMIT, LIMIT * (1 + 2 * error))
