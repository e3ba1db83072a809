# SPDX-License-Identifier: MIT OR Apache-2.0
"""This machine made ready for a campaign: catalogue, working compilers, counter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from cyclometer import host
from cyclometer.campaign.options import Options
from cyclometer.check.cache import VerdictCache
from cyclometer.compile import Builder, Cache, working
from cyclometer.discover import (
    adapt,
    compilers_for_checker,
    discover,
    hidden_features,
    join,
    read_calibration,
    recognise,
    select,
    with_pairs,
    without_features,
)
from cyclometer.errors import CyclometerError, MachineUnfit
from cyclometer.execute.bubblewrap import why_none
from cyclometer.execute.page_copies import PageCopies
from cyclometer.execute.pool import on_all_cores
from cyclometer.measure import NoiseFloor, ProcessPipeline, Ticks
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.failure import Failure
from cyclometer.records.run import CALIBRATION


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What a campaign needs on this machine: the catalogue, the builder and the counter."""

    tree: Path
    catalogue: Catalogue
    builder: Builder
    cache: Cache
    core: int | None  # where timed processes are pinned; None: anywhere
    scores: list[host.CounterScore]
    counter: host.CounterScore
    probe: Path | None  # the program that tries the counter; None: nothing is timed here
    failures: list[Failure]
    native: Catalogue | None = None  # our own tree, if the catalogue is a foreign one
    checker: str = ""  # the checker of toolchains/checkers for which executables are built
    mode: str = ""  # what makes this machine another one: "32-bit, without aes"
    noise_floor: NoiseFloor = field(default_factory=NoiseFloor)  # learns from every timed process

    @property
    def is_timed(self) -> bool:
        """Whether executables are timed here, not only checked."""
        return self.probe is not None

    @cached_property
    def beside(self) -> frozenset[int]:
        """The cores that may be used while one measures; they are found out once, until the machine boots again."""
        probe, core = self.probe, self.core
        if not probe:
            return frozenset()

        key = Cache.key("cores apart", self.builder.cpu, core, host.boot_id())
        found = self.cache.make_value(key, ".cores.json", lambda: sorted(host.cores_apart(probe, core)))
        return frozenset(found)

    @property
    def verdicts(self) -> VerdictCache:
        """The verdicts of checks that were passed."""
        return VerdictCache(self.cache.folder, self.builder.cpu)

    @cached_property
    def page_copies(self) -> PageCopies:
        """What gives each timed process pages of its own."""
        return PageCopies(self.cache.scratch)

    @cached_property
    def pipeline(self) -> ProcessPipeline:
        """What runs timed processes."""
        return ProcessPipeline(self.core, self.noise_floor, self.counter.dither_cycles, self.beside, self.page_copies)

    @property
    def ticks(self) -> Ticks:
        """How long the counter's units last."""
        counter = self.counter
        steady = counter.unit != "core cycles"
        return Ticks(
            per_second=counter.per_second,
            step=counter.resolution,
            steady=steady,
            chain_cycles=counter.chain_cycles,
            chain=counter.chain,
            chain_now=self._chain_now,
            slowdown=self._slowdown,
        )

    @cached_property
    def _slowdown(self) -> Callable[[], float]:
        abi = self.catalogue.compilers[0].abi
        return host.Slowdown(self.probe, self.core, abi, self.counter.load) if self.probe else lambda: 1.0

    def _chain_now(self) -> float:
        """Try the counter again; return the units that the chain takes, 0 if that fails."""
        probe = {self.counter.file: self.probe or "nothing is timed here"}
        [score] = host.score_counters(probe, self.core, self.catalogue.compilers[0].abi)
        return score.chain


def prepare_environment(
    tree: Path,
    toolchain: str = "",
    systems: Sequence[str] | None = None,
    counter: str = "",
    foreign: str = "",
    checker: str = "",
    time_limit: float = 60.0,
    unsafe: bool = False,
    without: Sequence[str] = (),
    folders: Sequence[str] = (),
    same_as: str = "",
) -> Environment:
    """Discover the tree, find the compilers that work and choose the best counter.

    `counter` names the preferred counter, `foreign` the folder of a foreign tree that replaces our primitives;
    the systems of `folders` join ours, as implementations of what `same_as` names.
    With a `checker`, or a `toolchain` that is not a mode of this machine, nothing is timed. `without` names features of
    the CPU that are not used. `time_limit` is that of a check, in seconds; `unsafe` takes a foreign tree even where
    there is no sandbox. Unknown `systems` raise UnknownName before anything is built.
    """
    native = with_pairs(discover(tree, toolchain), systems or ())
    catalogue, failures = native, list[Failure]()
    if foreign or folders:
        _require_confinement(native, toolchain, unsafe)
        catalogue, failures = _with_foreign(native, tree, systems or (), foreign, folders, same_as, unsafe)
    if systems is not None:
        select(catalogue, systems)
    catalogue, flags, left_out = _without(catalogue, tree, without)
    if checker:
        compilers = compilers_for_checker(catalogue.compilers, tree, checker, flags)
        catalogue = replace(catalogue, compilers=compilers)
    cache, mode = Cache(), machine_mode(catalogue, without)
    cpu = " ".join([host.cpu_name(), *sorted(flags), f"[{mode}]" if mode else ""]).rstrip()
    catalogue, unusable = _with_working_compilers(catalogue, cache, cpu)
    buildable = replace(catalogue, operations={**catalogue.operations, CALIBRATION: read_calibration(tree)[0]})
    common: dict[str, Any] = {"tree": tree, "catalogue": buildable, "cache": cache, "cpu_flags": flags, "cpu": cpu}

    def builder(counter: str, gap: int = 0) -> Builder:
        return Builder(counter=counter, read_gap=gap, time_limit=time_limit, **common)

    core = host.measuring_core()
    scores, best, probe = untimed(counter)
    if counter != COUNTED and not checker and (not toolchain or all(compiler.mode for compiler in catalogue.compilers)):
        scores, best, probe = _best_counter(tree, builder, core, counter, catalogue.compilers[0].abi)
    return Environment(
        tree=tree,
        catalogue=catalogue,
        builder=builder(best.file, best.read_gap),
        cache=cache,
        core=core,
        scores=scores,
        counter=best,
        probe=probe,
        failures=[*unusable, *left_out, *failures],
        native=replace(native, compilers=catalogue.compilers) if foreign or folders else None,
        checker=checker,
        mode=mode,
    )


def _without(
    catalogue: Catalogue, tree: Path, without: Sequence[str]
) -> tuple[Catalogue, frozenset[str], list[Failure]]:
    """Return the catalogue and the CPU's flags without some features, and a record of each library that is left out."""
    flags = host.cpu_flags()
    hidden = hidden_features(catalogue.features, without, flags)
    if not hidden:
        return catalogue, flags, []
    masked, left_out = without_features(catalogue, tree, hidden, flags)
    return masked, flags - {catalogue.features[name].cpuinfo for name in hidden}, left_out


def machine_mode(catalogue: Catalogue, without: Sequence[str]) -> str:
    """Return what makes this machine another one: "32-bit, without aes"; "" for all of it."""
    modes = dict.fromkeys(compiler.mode for compiler in catalogue.compilers if compiler.mode)
    return ", ".join([*modes, *([f"without {', '.join(without)}"] if without else [])])


COUNTED = "emulated/instructions"
"""The counter of executables whose instructions an emulator counts (instructions.py)."""

UNTIMED = host.CounterScore(file="clock_gettime")
"""The counter that executables are built with when nothing is timed: it exists everywhere."""


def untimed(counter: str) -> tuple[list[host.CounterScore], host.CounterScore, Path | None]:
    """Return the scores, the counter and its probe (none) of an environment in which nothing is timed."""
    chosen = host.CounterScore(file=COUNTED) if counter == COUNTED else UNTIMED
    return [chosen], chosen, None


def environment_for(tree: Path, options: Options, *, counter: str = "", checker: str = "") -> Environment:
    """Prepare the environment that the options of a campaign ask for."""
    return prepare_environment(
        tree,
        "" if checker else options.toolchain,
        systems=options.systems,
        counter=counter,
        foreign=options.tree,
        checker=checker,
        time_limit=options.check_seconds,
        unsafe=options.unsafe,
        without=() if checker else options.without,
        folders=options.folders,
        same_as=options.same_as,
    )


def _require_confinement(catalogue: Catalogue, toolchain: str, unsafe: bool) -> None:
    """Raise CyclometerError for code of strangers and a toolchain that lets its constructors run too early."""
    if not unsafe and any(compiler.trusted_code_only for compiler in catalogue.compilers):
        raise CyclometerError(
            f"--toolchain {toolchain} is for code that you trust, whose constructors run before the harness confines "
            "the program; --unsafe says that you do"
        )


def _with_foreign(
    native: Catalogue,
    tree: Path,
    systems: Sequence[str],
    foreign: str,
    folders: Sequence[str],
    same_as: str,
    unsafe: bool,
) -> tuple[Catalogue, list[Failure]]:
    """Read a foreign tree in place of our own, or folders beside it; the failures are what was skipped there."""
    if (reason := why_none()) and not unsafe:
        raise MachineUnfit(f"a foreign tree is built and run in a sandbox, and {reason}; --unsafe goes without it")
    if foreign and folders:
        raise CyclometerError(
            f"--tree {foreign} takes the place of our systems, beside which {folders[0]} would be; name one of the two"
        )
    if foreign:
        return adapt(native, recognise(Path(foreign)), systems, tree / "adapters")
    return join(native, tree, [Path(folder) for folder in folders], systems, same_as)


def _with_working_compilers(catalogue: Catalogue, cache: Cache, cpu: str) -> tuple[Catalogue, list[Failure]]:
    """Keep the compilers that pass their sanity program; MachineUnfit if none does."""
    compilers, failures = working(catalogue.compilers, cache, cpu)
    if not compilers:
        missing = "; ".join(f"{failure.subject.compiler}: {failure.reason}" for failure in failures)
        raise MachineUnfit(f"no compiler works here ({missing})")
    return replace(catalogue, compilers=tuple(compilers)), failures


def _best_counter(
    tree: Path, builder: Callable[[str], Builder], core: int | None, preferred: str, abi: str
) -> tuple[list[host.CounterScore], host.CounterScore, Path | None]:
    """Try every counter of harness/counters; return all scores, the best and the program that tries it."""
    names = sorted(file.stem for file in (tree / "harness" / "counters").glob("*.h"))
    probes = dict(zip(names, on_all_cores(lambda name: builder(name).probe(name), names), strict=True))
    runnable = {name: probe.reason if isinstance(probe, Failure) else probe for name, probe in probes.items()}
    scores = [_with_first_gap(score, builder) for score in host.score_counters(runnable, core, abi)]
    best = host.choose_counter(scores, preferred)
    probe = runnable[best.file]
    return scores, best, probe if isinstance(probe, Path) else None


def _with_first_gap(score: host.CounterScore, builder: Callable[[str], Builder]) -> host.CounterScore:
    """Return the score with the read gap that was found first: with another, everything would be built again."""
    if not score.read_gap:
        return score
    ours = builder(score.file)
    key = Cache.key("read gap", ours.cpu, score.file)
    return replace(score, read_gap=ours.cache.make_value(key, ".json", lambda: score.read_gap))
