# SPDX-License-Identifier: MIT OR Apache-2.0
"""The order of the finalists: by the work load, then by the quick grid, then by a fixed order.

Noise must not decide between near ties. What one criterion cannot separate within its error is left to the next, and
the tuning chosen before stays until another is clearly better, so that the same machine gives the same tables.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence

from cyclometer.choose.candidates import CandidatePool, Place
from cyclometer.records.executable import Executable
from cyclometer.records.tuning import NOISE

MIN_ERROR = 0.01  # layout and address randomisation shift whole processes by up to this, however well they repeat
QUICK_ERROR = 0.003  # of a score on the quick grid, 2 % in one of twenty cells; a cut that varies would be noise itself
MAX_ERROR = 0.015  # a noisy minute does not make everything a tie
ALIKE = 0.02  # what ties on the work load at least: ten processes show a ratio to a quarter of this
FEW_TIMINGS, ENOUGH_TIMINGS = 2, 4  # with fewer than enough the cut is wider, widest with so few
LEADER_MARGIN = 1.08  # what is this close to the fastest has more timings than others
MAX_TWO_TIMES = 0.02  # a candidate's fastest timing counts up to this far below its lower quartile ...
TWO_TIMES = 1.5  # ... by so much that another candidate's lower quartile may be there and surely tie
CUT = (0.5, 1.5)  # the cut between ties and others lies between these multiples of the error ...
MADE_UP = 12.0  # ... and on the work load, what goes beyond the error counts so many times on the quick grid
SHIFT = 20.0  # cycles added to both sides of a ratio, so that cells of a few cycles count by their weight


def ranked(pool: CandidatePool, finalists: Sequence[int]) -> list[Place]:
    """Return the places of the finalists, the winner's first."""
    if not finalists:
        return []
    cycles = {index: pool.cycles(index) for index in finalists}
    near = near_ties(pool, finalists)
    scores = quick_scores(pool, near) if len(near) > 1 else {}
    equal, slower = cut(scores, QUICK_ERROR) if scores else (cut(cycles, alike(pool, finalists))[0], [])
    winner, *rivals = sorted(equal, key=lambda index: fixed_order(pool.candidates[index]))
    if len(near) > 1 and not scores and pool.is_quick_grid_disturbed(near):
        return _undecided(pool, near, winner, [index for index in finalists if index not in near])
    if pool.incumbent in cycles and pool.incumbent != winner and _stays(pool, pool.incumbent, cycles):
        others = sorted((index for index in finalists if index != pool.incumbent), key=cycles.__getitem__)
        return _places(pool.incumbent, quick_scores(pool, finalists), {"chosen before": others})
    behind = [index for index in finalists if index not in equal and index not in slower]
    return _places(winner, scores, {"fixed order": rivals, "quick grid": slower, "work load": behind})


def near_ties(pool: CandidatePool, finalists: Sequence[int]) -> list[int]:
    """Return all that the error allows to tie on the work load, the fastest first."""
    _, surely_apart = bounds(alike(pool, finalists))
    return pool.within(finalists, surely_apart)


def _undecided(pool: CandidatePool, near: Sequence[int], winner: int, behind: Sequence[int]) -> list[Place]:
    """Return the places if too little of the quick grid was undisturbed to decide: the tuning chosen before stays."""
    first = next((index for index in near if index == pool.incumbent), winner)
    reason = "chosen before" if first == pool.incumbent and pool.incumbent_is_settled else NOISE
    return _places(first, {}, {reason: [index for index in near if index != first], "work load": behind})


def _places(winner: int, scores: Mapping[int, float], others: Mapping[str, Sequence[int]]) -> list[Place]:
    """Return the winner's place, and those of the others by what put them behind it."""

    def place(index: int, decided_by: str = "") -> Place:
        ratio = scores[index] / scores[winner] if index in scores else None
        return Place(index=index, decided_by=decided_by, quick_ratio=ratio)

    return [place(winner), *(place(index, reason) for reason, indices in others.items() for index in indices)]


def _stays(pool: CandidatePool, incumbent: int, cycles: Mapping[int, float]) -> bool:
    """Return whether quiet timings chose the incumbent, and no finalist is clearly better.

    Clearly better is one that is faster on the work load by more than what may tie there, or one that certainly ties
    there and is better on the quick grid by as much. With less, a first choice would fall on one side or the other of
    its bounds, and then on the other.
    """
    surely_tied, surely_apart = bounds(alike(pool, list(cycles)))
    if not pool.incumbent_is_settled or cycles[incumbent] > surely_apart * min(cycles.values()):
        return False
    rivals = [index for index in cycles if cycles[index] <= surely_tied * cycles[incumbent]]
    scores = quick_scores(pool, rivals, made_up=0.0) if len(rivals) > 1 else {}
    return not scores or scores[incumbent] <= surely_apart * min(scores.values())


def fixed_order(executable: Executable) -> tuple[bool, int, str, str]:
    """Return the sort key that decides last: our code before a library's, then fewer bytes of code, then the name.

    A library may change with the system, and the size of its code is unknown.
    """
    subject = executable.subject
    return executable.implementation.library, executable.code_bytes, subject.implementation, subject.compiler


def cut(values: Mapping[int, float], error: float) -> tuple[list[int], list[int]]:
    """Split candidates into those that tie with the smallest value and the others, each in ascending order.

    The cut lies in the widest gap around the error, so that no candidate is at its edge and noise moves none across.
    """
    order, ratios, before, after = _widest_gap(values, error)
    count = sum(ratio <= (before + after) / 2 for ratio in ratios)
    return order[:count], order[count:]


def alike(pool: CandidatePool, finalists: Sequence[int]) -> float:
    """Return what may tie on the work load: the error, and more if the time was enough for few timings only."""
    leaders = pool.within(finalists, LEADER_MARGIN)
    fewest = min((len(pool.timings(index)) for index in leaders), default=ENOUGH_TIMINGS)
    few = min(max(fewest, FEW_TIMINGS), ENOUGH_TIMINGS)
    return max(ALIKE * math.sqrt(ENOUGH_TIMINGS / few), error(pool, finalists))


def is_clear(scores: Mapping[int, float]) -> bool:
    """Return whether the best score has no rival that may tie."""
    _, surely_apart = bounds(QUICK_ERROR)
    return sum(score < surely_apart * min(scores.values()) for score in scores.values()) == 1


def _widest_gap(values: Mapping[int, float], error: float) -> tuple[list[int], list[float], float, float]:
    """Return the candidates in ascending order, their ratios to the first, and the bounds of the gap for the cut."""
    order = sorted(values, key=values.__getitem__)
    low, high = bounds(error)
    ratios = [values[index] / values[order[0]] if values[order[0]] > 0 else 1.0 for index in order]
    marks = [low, *(ratio for ratio in ratios if low < ratio < high), high]
    before, after = max(itertools.pairwise(marks), key=lambda gap: gap[1] - gap[0])
    return order, ratios, before, after


def bounds(error: float) -> tuple[float, float]:
    """Return between which ratios the cut may lie."""
    surely_tied, surely_apart = (1 + multiple * error for multiple in CUT)
    return surely_tied, surely_apart


def error(pool: CandidatePool, finalists: Iterable[int]) -> float:
    """Return the error of a ratio of two candidates' cycles on the work load."""
    deviations, counts = [], []
    for index in finalists:
        timings = [timing.cycles for timing in pool.timings(index)]
        counts.append(len(timings))
        deviations += _lower_deviations(timings, pool.cycles(index))
    return _half_width(deviations, counts)


def quick_scores(pool: CandidatePool, near: Sequence[int], made_up: float = MADE_UP) -> dict[int, float]:
    """Return 1 + the root mean square of what each candidate takes longer than the fastest of them, cell by cell.

    A mean would hide 5 % in one cell, and chance then decides whether users of that cell have the slower candidate.
    What a candidate loses on the work load beyond the error is added `made_up` times, because noise would move
    candidates across a cut there. Only cells that all have undisturbed are compared; the result is empty if they are
    fewer than half of all.
    """
    typical = {index: _typical(pool.cells(index)) for index in near}
    names = [set(cells) for cells in typical.values()]
    common = set.intersection(*names)
    if not common or 2 * len(common) < len(set.union(*names)):
        return {}
    best = {name: min(cells[name] for cells in typical.values()) + SHIFT for name in common}
    lost = _lost_on_work_load(pool, near)
    return {
        index: 1
        + math.sqrt(statistics.fmean(((cells[name] + SHIFT) / best[name] - 1) ** 2 for name in sorted(common)))
        + made_up * lost[index]
        for index, cells in typical.items()
    }


def _lost_on_work_load(pool: CandidatePool, near: Sequence[int]) -> dict[int, float]:
    """Return by how much more than the error each candidate is slower than the fastest of them on the work load."""
    cycles, allowed = {index: pool.cycles(index) for index in near}, 1 + alike(pool, near)
    fastest = min(cycles.values())
    return {index: max(0.0, each / fastest - allowed) if fastest > 0 else 0.0 for index, each in cycles.items()}


def _typical(timings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = {name for cells in timings for name in cells}
    return {name: _lower_mean([cells[name] for cells in timings if name in cells]) for name in names}


def _lower_mean(values: Sequence[float]) -> float:
    """Return the mean of the lower half, which slow processes leave alone and which varies less than its quartile."""
    return statistics.fmean(sorted(values)[: (len(values) + 1) // 2])


def _lower_deviations(values: Sequence[float], quartile: float) -> list[float]:
    """Return how far, relative to their lower quartile, the values of the lower half are from it.

    The upper half has what disturbed a timing, which says nothing about where the lower quartile is.
    """
    lower = sorted(values)[: (len(values) + 1) // 2]
    return [value / quartile - 1 for value in lower] if quartile > 0 else []


def _half_width(deviations: Sequence[float], counts: Sequence[int]) -> float:
    """Return half the 95 % interval of the difference of two lower quartiles, between a minimum and a maximum.

    The deviations of all candidates are pooled; their median size gives the standard deviation. In a normal
    distribution the lower half's values are 0.40 standard deviations from the lower quartile, in the median, and that
    quartile's own error is 1.36 standard deviations by the square root of their number. Where a processor takes one of
    two times for a while (AES on Cascade Lake), few timings may show the faster one once: then the error reaches it.
    """
    if not deviations:
        return MIN_ERROR
    deviation = statistics.median(abs(each) for each in deviations) / 0.40
    of_quartile = 1.36 * deviation / math.sqrt(max(1, min(counts)))
    noise = min(max(MIN_ERROR, 1.96 * math.sqrt(2) * of_quartile), MAX_ERROR)
    return max(noise, TWO_TIMES * min(-min(deviations), MAX_TWO_TIMES))
