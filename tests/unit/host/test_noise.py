# SPDX-License-Identifier: MIT OR Apache-2.0
"""What `cyclometer machine` says about the noise, and what would reduce it."""

from __future__ import annotations

import pytest

from cyclometer.host import CounterScore, Noise, advice

COUNTER = CounterScore(file="rdtsc", unit="TSC ticks", resolution=2.0, per_second=2.6e9)


def noise(*, interruptions: float, interrupted: float) -> Noise:
    """Make the noise of a machine of a steady clock and without neighbours."""
    percents = (1, 10, 25, 50, 75, 90, 99)
    chain, ratio = dict.fromkeys(percents, 5600.0), dict.fromkeys(percents, 0.78)
    return Noise(moments=1000, chain=chain, ratio=ratio, interruptions=interruptions, interrupted=interrupted)


def test_a_host_that_interrupts_its_guest_is_named() -> None:
    [line] = [each for each in advice(COUNTER, noise(interruptions=1 / 130_000, interrupted=0.05)) if "away" in each]
    assert "20000 times a second (5.0% of the time)" in line
    assert "longer calls than some 50 microseconds are marked ~" in line


@pytest.mark.parametrize("often", [0.0, 1 / 10_400_000], ids=["never", "250 ticks of a kernel in a second"])
def test_few_interruptions_are_not_worth_a_line(often: float) -> None:
    assert not [each for each in advice(COUNTER, noise(interruptions=often, interrupted=0.001)) if "away" in each]
