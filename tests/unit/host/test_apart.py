# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which cores may be used beside a measurement: in a guest, those that leave the measuring core as quiet when busy."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.host import Noise, apart

QUIET, SHARED = 0.75, 0.98  # load/chain of a core alone, and of one whose other thread is busy
CORE, OTHER = 1, 0


def cores(monkeypatch: pytest.MonkeyPatch, *, beside: float, flags: frozenset[str]) -> set[int]:
    """Return the cores found if the measuring core's load/chain is `beside` while the other one is busy."""
    busy: list[int | None] = []

    def listen(probe: Path, core: int | None, seconds: float) -> Noise:
        ratio = beside if core == CORE and busy else QUIET
        if core != CORE:
            busy.append(core)
        return Noise(moments=100, chain={}, ratio=dict.fromkeys((1, 10, 25, 50, 75, 90, 99), ratio))

    def alone(*_: object) -> bool:
        busy.clear()
        return is_quiet(Path("probe"), CORE, [OTHER])

    is_quiet = apart._is_quiet_beside
    monkeypatch.setattr(apart, "listen", listen)
    monkeypatch.setattr(apart, "_is_quiet_beside", alone)
    monkeypatch.setattr(apart, "cores_beside", lambda _: {OTHER})
    monkeypatch.setattr(apart, "cpu_flags", lambda: flags)
    return apart.cores_apart(Path("probe"), CORE)


def test_a_core_that_disturbs_nothing_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cores(monkeypatch, beside=QUIET, flags=frozenset({"hypervisor"})) == {OTHER}


def test_a_guest_s_core_that_is_another_thread_of_the_measuring_one_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cores(monkeypatch, beside=SHARED, flags=frozenset({"hypervisor"})) == set()


def test_outside_a_guest_the_kernel_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cores(monkeypatch, beside=SHARED, flags=frozenset()) == {OTHER}
