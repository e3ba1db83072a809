# SPDX-License-Identifier: MIT OR Apache-2.0
"""Screening: everything is built with one compiler, then the leaders with those of the other toolchains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.choose import REDUCED, with_another_look
from cyclometer.choose.screening import full_pass, leaders, screening_compiler, screening_pass, worth_composing
from cyclometer.records.catalogue import Compiler, Implementation, Primitive
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.tuning import Timing, Trial, Tuning
from support.fakes import executable
from support.one_at_a_time import time_once

COMPILERS = [
    Compiler(name=f"{tool}-{level}", toolchain=tool, command=tool, cxx=tool, flags=(), reason="a test's")
    for tool in ("clang", "gcc")
    for level in ("O3", "O2")
]
TIMES = {"ref": 900.0, "portable": 500.0, "avx2": 200.0, "avx512": 100.0}


def requests(primitive: str) -> list[BuildRequest]:
    system = Primitive(
        operation="crypto_hash",
        name=primitive,
        folder=Path(),
        associated_data=False,
        sizes={},
        vectors=(),
        facts={},
    )
    return [
        BuildRequest(
            primitive=system,
            implementation=Implementation(
                operation="crypto_hash", primitive=primitive, name=name, folders=(), sources=()
            ),
            compiler=compiler,
        )
        for name in TIMES
        for compiler in COMPILERS
    ]


def trials(primitive: str) -> list[Trial]:
    return [
        Trial(
            subject=Tuning(operation="crypto_hash", primitive=primitive, implementation=name, compiler="clang-O3"),
            cycles=cycles,
            timings=1,
            chosen=False,
        )
        for name, cycles in TIMES.items()
    ]


def tunings(some: list[BuildRequest]) -> set[tuple[str, str]]:
    return {(request.subject.implementation, request.subject.compiler) for request in some}


def test_the_screening_pass_has_every_implementation_and_one_compiler() -> None:
    first, others = screening_pass(requests("sha"))
    assert tunings(first) == {(name, "clang-O3") for name in TIMES}
    assert tunings(others) == {(name, c.name) for name in TIMES for c in COMPILERS[1:]}


def test_the_glue_of_a_library_is_screened_with_its_only_compiler() -> None:
    glue = requests("sha")[-1]  # avx512 by gcc-O2
    of_library = replace(glue, implementation=replace(glue.implementation, name="openssl", library=True))
    first, others = screening_pass([of_library, *requests("sha")])
    assert tunings(first) == {("openssl", "gcc-O2"), *((name, "clang-O3") for name in TIMES)}
    assert "openssl" not in {request.subject.implementation for request in others}
    assert screening_compiler(first) == COMPILERS[0]


def test_with_many_systems_the_fastest_is_built_by_one_compiler_of_every_other_toolchain() -> None:
    _, others = screening_pass(requests("sha"))
    wanted = full_pass(COMPILERS[0], others, trials("sha"), ())
    assert tunings(wanted) == {("avx512", "gcc-O3")}


def test_what_a_single_timing_cannot_tell_from_the_fastest_is_built_like_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TIMES, "avx2", 104.0)
    _, others = screening_pass(requests("sha"))
    wanted = full_pass(COMPILERS[0], others, trials("sha"), ())
    assert tunings(wanted) == {("avx512", "gcc-O3"), ("avx2", "gcc-O3")}


def test_with_few_systems_the_fastest_is_built_by_every_compiler_and_the_next_by_every_toolchain() -> None:
    _, others = screening_pass(requests("sha"))
    wanted = full_pass(COMPILERS[0], others, trials("sha"), (), every=True)
    assert tunings(wanted) == {("avx2", "gcc-O3"), *(("avx512", c.name) for c in COMPILERS[1:])}


def test_what_was_always_disturbed_and_might_lead_is_built_like_the_fastest() -> None:
    _, others = screening_pass(requests("sha"))
    unconfirmed = [trial.subject for trial in trials("sha") if trial.subject.implementation == "portable"]
    wanted = full_pass(COMPILERS[0], others, trials("sha"), (), every=True, unconfirmed=unconfirmed)
    both = {(name, c.name) for name in ("portable", "avx512") for c in COMPILERS[1:]}
    assert tunings(wanted) == {("avx2", "gcc-O3"), *both}


def of_a_library(wanted: Sequence[BuildRequest], name: str) -> list[BuildRequest]:
    """Return the requests as they are if this implementation is a library's: with one compiler for the glue."""
    return [r for r in wanted if r.implementation.name != name or r.compiler == COMPILERS[0]]


@pytest.mark.parametrize(("own_code", "is_built"), [(190.0, True), (210.0, False)])
def test_if_a_library_leads_the_fastest_of_the_others_is_built_by_other_compilers(
    own_code: float, is_built: bool
) -> None:
    """No compiler changes the library. Of the rest one may be faster by gcc than by clang, unless it is hopeless."""
    _, others = screening_pass(of_a_library(requests("sha"), "avx512"))
    found = [
        replace(trial, cycles=own_code) if trial.subject.implementation == "avx2" else trial for trial in trials("sha")
    ]
    assert tunings(full_pass(COMPILERS[0], others, found, ())) == ({("avx2", "gcc-O3")} if is_built else set())


def test_what_is_composed_need_not_lead_by_itself() -> None:
    """In a mode, a block cipher for many blocks at once may overtake what is faster for single ones."""
    cycles = {"botan": 433.0, "avx2": 526.0, "nettle": 587.0, "avx512": 592.0, "words": 890.0}
    found = [
        replace(trials("sha")[0], subject=replace(trials("sha")[0].subject, implementation=name), cycles=each)
        for name, each in cycles.items()
    ]
    names = {subject.implementation for subject in worth_composing(found)}
    assert names == {"botan", "avx2", "nettle", "avx512"}


def test_another_compiler_tries_what_the_first_cannot_build() -> None:
    _, others = screening_pass(requests("sha"))
    unbuilt = Tuning(operation="crypto_hash", primitive="sha", implementation="ref", compiler="clang-O3")
    wanted = full_pass(COMPILERS[0], others, trials("sha")[1:], (), {unbuilt})
    assert ("ref", "gcc-O3") in tunings(wanted)


def test_the_incumbent_is_built_again() -> None:
    _, others = screening_pass(requests("sha"))
    before = Tuning(operation="crypto_hash", primitive="sha", implementation="ref", compiler="clang-O2")
    wanted = full_pass(COMPILERS[0], others, trials("sha"), {before})
    assert tunings(wanted) == {("ref", "clang-O2"), ("avx512", "gcc-O3")}


def test_without_trials_every_compiler_is_tried() -> None:
    _, others = screening_pass([*requests("sha"), *requests("md")])
    wanted = full_pass(COMPILERS[0], others, trials("sha"), ())
    assert tunings([r for r in wanted if r.primitive.name == "md"]) == {
        (name, c.name) for name in TIMES for c in COMPILERS[1:]
    }


def test_the_leaders_are_fastest_with_their_best_compilers() -> None:
    slower = [replace(t, subject=replace(t.subject, compiler="gcc-O2"), cycles=2000.0) for t in trials("sha")]
    assert {subject.implementation for subject in leaders([*trials("sha"), *slower])} == {"avx2", "avx512"}


@pytest.mark.parametrize("disturbed", TIMES)
def test_one_timing_that_a_neighbour_slows_down_in_secret_hides_no_leader(disturbed: str) -> None:
    """Those that may lead are timed twice, the others once."""
    calls: Counter[str] = Counter()

    def timer(candidate: Executable, seed: int, *, quick: bool) -> Timing:
        name = candidate.subject.implementation
        calls[name] += 1
        return Timing(cycles=TIMES[name] * (1.9 if name == disturbed and calls[name] == 1 else 1.0))

    found = time_once([executable(name) for name in TIMES], timer).trials
    assert min(found, key=lambda trial: trial.cycles).subject.implementation == "avx512"
    assert calls["ref"] == 1, "no disturbance explains nine times the cycles"


def test_what_was_always_disturbed_and_might_lead_is_in_doubt() -> None:
    """A neighbour meets every timing of the fastest; nothing explains why `ref` takes nine times the cycles."""

    def timer(candidate: Executable, seed: int, *, quick: bool) -> Timing:
        name = candidate.subject.implementation
        disturbed = name in ("avx512", "ref")
        return Timing(cycles=TIMES[name] * (2.5 if disturbed else 1.0), quiet=not disturbed)

    found = time_once([executable(name) for name in TIMES], timer)
    assert [subject.implementation for subject in found.unconfirmed] == ["avx512"]


def test_what_was_disturbed_in_many_systems_has_another_look_when_all_were_screened() -> None:
    """A neighbour met `avx512` and made it seem slower than `avx2`. Later it has gone."""
    group = [executable(name) for name in ("portable", "avx2", "avx512")]

    def timer(loud: bool) -> Callable[..., Timing]:
        def timed(candidate: Executable, seed: int, *, quick: bool) -> Timing:
            disturbed = loud and candidate.subject.implementation == "avx512"
            return Timing(
                cycles=TIMES[candidate.subject.implementation] * (2.5 if disturbed else 1), quiet=not disturbed
            )

        return timed

    first = time_once(group, timer(loud=True), REDUCED)
    assert [subject.implementation for subject in first.disturbed] == ["avx512"]
    again = time_once([e for e in group if e.subject in first.disturbed], timer(loud=False), REDUCED)
    found = with_another_look(first, again)
    assert {trial.subject.implementation: trial.cycles for trial in found.trials} == {
        "portable": 500,
        "avx2": 200,
        "avx512": 100,
    }
    assert not found.disturbed
    louder = with_another_look(first, time_once([group[2]], timer(loud=True), REDUCED))
    assert [subject.implementation for subject in louder.disturbed] == ["avx512"], "still nobody knows"
