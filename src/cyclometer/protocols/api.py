# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run over the toggles of an interface: protocols/api and protocols/toggles around tuned primitives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer import campaign
from cyclometer.campaign.calibrate import calibration_executables
from cyclometer.campaign.measurement import Measurement
from cyclometer.campaign.plan import describe_run
from cyclometer.campaign.tune import Tuner
from cyclometer.compile import contracts
from cyclometer.compile.builder import Builder
from cyclometer.compile.packages import Package, find_packages
from cyclometer.compile.surround import Surrounding, surround
from cyclometer.discover import first_answer
from cyclometer.discover.native import read_operation
from cyclometer.errors import NothingToDo, UnknownName, some_of
from cyclometer.execute.pool import on_all_cores
from cyclometer.measure import all_sizes, plan_jobs
from cyclometer.protocols.effects import API, level_names
from cyclometer.protocols.run import check_executables, first_reason, study_plan
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.run import PROTOCOL
from cyclometer.store import RunWriter

MODES = ("", "compositions", "compositions/cbc")
"""Folders of operations/crypto_cipher from which the toggle of modes includes."""

SUBJECTS = "protocols/api/subjects"
"""The folder of the tree with what toggles may use of a primitive, a header for each operation."""

LIBRARY = "openssl"
ROUNDS, REPETITIONS = 8, 3
LENGTHS = (16, 45, 576, 1500, 16384)


def systems_of(tree: Path, catalogue: Catalogue, names: Sequence[str]) -> list[str]:
    """Return the keys of the systems; UnknownName for what is none, or of an operation without toggles."""
    suffix = "_subject.h"
    subjects = {file.name.removesuffix(suffix) for file in (tree / SUBJECTS).glob(f"*{suffix}")}
    valid = {p.name: key for key, p in catalogue.primitives.items() if p.operation in subjects}
    for name in names:
        if name not in valid:
            raise UnknownName("AEAD, block cipher or hash", name, valid, some_of(valid, "`cyclometer run --list`"))
    return [valid[name] for name in dict.fromkeys(names)]


def without_libraries(catalogue: Catalogue) -> Catalogue:
    """Return the catalogue without libraries, which have made these choices already, where there is other code."""
    own = {f"{i.operation}/{i.primitive}" for i in catalogue.implementations if not i.library}
    kept = [i for i in catalogue.implementations if not i.library or f"{i.operation}/{i.primitive}" not in own]
    return replace(catalogue, implementations=tuple(kept))


def run_api(
    environment: campaign.Environment,
    options: campaign.Options,
    systems: Sequence[str],
    lengths: Sequence[int],
    rounds: int,
    results: Path,
    progress: campaign.Progress,
    *,
    all_compilers: bool,
) -> Path:
    """Measure every level of every toggle; return the folder of the finished run. NothingToDo if nothing works."""
    whole = environment.catalogue
    own = without_libraries(whole)
    environment = replace(environment, catalogue=own if all_compilers else first_answer(own))
    options = replace(options, systems=tuple(systems))
    with _new_run(environment, options, systems, results) as writer:
        writer.add_failures(environment.failures)
        tuner = Tuner(environment, options, writer, progress)
        tuned = tuner.choose(tuner.candidates())
        with progress.stage("building toggles", len(tuned)) as step:
            built = on_all_cores(lambda each: _build(environment.tree, environment.builder, whole, each), tuned, step)
        writer.add_failures([each for each in built if isinstance(each, Failure)])
        executables = check_executables([e for e in built if isinstance(e, Executable)], writer, progress)
        if not executables:
            reason = first_reason(writer.failures(), API)
            writer.discard()
            raise NothingToDo(f"no toggle works around any of the systems: {reason}")
        with progress.stage("listing levels", len(executables)) as step:
            sizes = all_sizes(executables, step)
        writer.add_sizes(sizes)
        grids = {
            each.subject.key: grid_of(level_names(s for s in sizes if s.subject == each.subject), lengths)
            for each in executables
        }
        _measure(environment, options, writer, progress, executables, grids, rounds)
        return writer.finish()


def grid_of(levels: Sequence[str], lengths: Sequence[int]) -> tuple[str, ...]:
    """Return the grid lines of a system with these levels (`TOGGLE-LEVEL`)."""
    joined = ",".join(map(str, lengths))
    return tuple(f"{level} length={joined} repetition=1-{REPETITIONS}" for level in levels)


def _new_run(
    environment: campaign.Environment, options: campaign.Options, systems: Sequence[str], results: Path
) -> RunWriter:
    info = describe_run(environment, options)
    operation = read_operation(environment.tree / "protocols" / API)
    info = replace(
        info,
        contracts={**info.contracts, **contracts(environment.tree, [operation])},
        plan={**info.plan, PROTOCOL: {"study": API, "systems": list(systems)}},
        profile=PROTOCOL,
        run=info.run.removesuffix(options.profile) + f"protocol-{API}",
    )
    return RunWriter.start_numbered(results, info)


def _build(tree: Path, builder: Builder, catalogue: Catalogue, primitive: Executable) -> Executable | Failure:
    """Build all toggles around one primitive."""
    subject, root = primitive.subject, tree / "protocols"
    modes = [tree / "operations" / "crypto_cipher" / name for name in MODES]
    names, packages = _by_library(catalogue, subject.key)
    folders = ("api", "toggles", *([f"toggles/{LIBRARY}"] if packages else []))
    sources = [source for name in folders for source in sorted((root / name).glob("*.c"))]
    together, library = root / "api" / "inlined.c", root / "api" / "library.c"
    return surround(
        builder,
        primitive,
        Surrounding(
            subject=replace(subject, operation=API),
            sources=tuple(source for source in sources if source not in (together, library)),
            folders=(root / "api", root / "api" / "subjects", *modes),
            macros=(("SUBJECT_HEADER", f'"subjects/{subject.operation}_subject.h"'), *names),
            packages=packages,
            together=together,
            library=library,
        ),
    )


def _by_library(catalogue: Catalogue, key: str) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the macros with a primitive's name in the library, and the library's packages; nothing if it lacks it."""
    for implementation in catalogue.implementations:
        if f"{implementation.operation}/{implementation.primitive}" == key and implementation.name == LIBRARY:
            found = isinstance(find_packages(implementation.packages), Package)
            return (implementation.macros, implementation.packages) if found else ((), ())
    return (), ()


def _measure(
    environment: campaign.Environment,
    options: campaign.Options,
    writer: RunWriter,
    progress: campaign.Progress,
    executables: Sequence[Executable],
    grids: Mapping[str, tuple[str, ...]],
    rounds: int,
) -> None:
    plan = study_plan(environment, options, API, grids, rounds)  # levels of a toggle are compared with a direct call
    controls = [*executables[:1], *calibration_executables(environment)]
    Measurement(environment, plan, writer, progress).planned_rounds(plan_jobs(executables, controls, plan))
