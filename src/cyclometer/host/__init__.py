# SPDX-License-Identifier: MIT OR Apache-2.0
"""Facts about this machine: its CPU, its counters, its state, its noise."""

from cyclometer.host.apart import cores_apart
from cyclometer.host.core_lock import measuring_on
from cyclometer.host.counters import CounterScore, choose_counter, score_counters
from cyclometer.host.facts import Fact, boot_id, cores_beside, cpu_flags, cpu_name, facts, measuring_core
from cyclometer.host.noise import Noise, Slowdown, advice, listen

__all__ = [
    "CounterScore",
    "Fact",
    "Noise",
    "Slowdown",
    "advice",
    "boot_id",
    "choose_counter",
    "cores_apart",
    "cores_beside",
    "cpu_flags",
    "cpu_name",
    "facts",
    "listen",
    "measuring_core",
    "measuring_on",
    "score_counters",
]
