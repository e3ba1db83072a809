# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether the conclusions of a bundle hold on another machine."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclometer import campaign
from cyclometer.competition.bundle import Outcome
from cyclometer.competition.operate import ClassResult, measure, results_of
from cyclometer.competition.standing import Orders, Standing

HOLDS, FAILS, UNKNOWN = "holds", "fails", "cannot be told"
OPERATOR = "repeat"


@dataclass(frozen=True, kw_only=True)
class Conclusion:
    """What a bundle concludes, and what this machine says of it."""

    name: str  # the class
    text: str
    verdict: str  # HOLDS, FAILS or UNKNOWN


def repeat(
    tree: Path, outcome: Outcome, options: campaign.Options, runs: Path, progress: campaign.Progress, *, unsafe: bool
) -> list[Conclusion]:
    """Measure the submissions of a verified bundle here, into `runs`, and judge each conclusion."""
    competition = outcome.competition
    measure(tree, competition, OPERATOR, options, progress, unsafe=unsafe, runs=runs)
    today = datetime.datetime.now(datetime.UTC).date()
    own = results_of(competition, today, competition.attacks(), runs)
    return [
        each
        for name, found in outcome.standings.items()
        for each in judged(found, [result for result in own[name] if result.machine == options.machine])
    ]


def judged(published: Standing, own: Sequence[ClassResult]) -> Iterator[Conclusion]:
    """Yield each order that counts, and each system that no run could rank, with the verdict of one's own runs."""
    theirs, ours = Orders(published.results), Orders(own)
    ranked = [place.system for place in published.places if place.rank]
    for index, one in enumerate(ranked):
        for other in ranked[index + 1 :]:
            if not published.incomplete and theirs.beats(one, other):
                verdict = _of_order(ours.each(one, other))
                yield Conclusion(name=published.name, text=f"{one} costs less than {other}", verdict=verdict)
    here = set(ours.ranked())
    for place in published.places:
        if place.excluded and own:
            verdict = FAILS if place.system in here else HOLDS
            yield Conclusion(
                name=published.name, text=f"{place.system} is not ranked: {place.excluded}", verdict=verdict
            )


def _of_order(orders: Sequence[int | None]) -> str:
    if orders and all(order == -1 for order in orders):
        return HOLDS
    return FAILS if orders and all(order == 1 for order in orders) else UNKNOWN
