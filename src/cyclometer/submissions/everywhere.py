# SPDX-License-Identifier: MIT OR Apache-2.0
"""The examination of a submission on every machine of a fleet. It needs the optional group `fleet`."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from cyclometer import paths
from cyclometer.errors import CyclometerError, UnusableRun
from cyclometer.fleet import Everywhere, Problem
from cyclometer.records.submission import Decision, MachineVerdict
from cyclometer.store import add_run, run_files
from cyclometer.submissions.queue import ARCHIVE, RESULTS, Claim, read_machine_verdict
from cyclometer.submissions.worker import LocalExaminer
from cyclometer.untrusted import shortened


@dataclass(frozen=True, kw_only=True)
class FleetExaminer:
    """Examines submissions on all machines of a fleet at the same time; their runs arrive here."""

    everywhere: Everywhere
    budget: float  # seconds of a whole examination
    check_seconds: float = 60.0

    def __call__(self, claim: Claim) -> tuple[MachineVerdict, ...]:
        """Return a verdict from each machine; one that cannot be reached has not examined."""
        shutil.rmtree(claim.folder / RESULTS, ignore_errors=True)
        emulated = {machine.name: machine.toolchain for machine in self.everywhere.fleet.machines}
        results = self.everywhere(examine_there, claim.archive, self.budget, self.check_seconds, emulated)
        return tuple(_stored(claim, machine, results[machine]) for machine in sorted(results))


def examine_there(
    machine: str, archive: bytes, budget: float, check_seconds: float, emulated: Mapping[str, str]
) -> dict[str, Any]:
    """Examine an archive on this machine; return the verdict as JSON, and the files of its run. The copy is removed.

    `emulated` maps machines to their toolchains; real ones have ''.
    """
    name = f"{machine}-{hashlib.sha256(archive).hexdigest()[:20]}"
    folder = paths.cache_folder() / "fleet" / "submissions" / name
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True)
        (folder / ARCHIVE).write_bytes(archive)
        examiner = LocalExaminer(
            machine=machine, budget=budget, check_seconds=check_seconds, toolchain=emulated[machine]
        )
        examiner.require()
        verdict = examiner.in_folder(folder)
        return {"verdict": json.dumps(asdict(verdict)), "files": run_files(folder / verdict.run) if verdict.run else {}}
    except CyclometerError as error:
        return {"problem": str(error)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _stored(claim: Claim, machine: str, result: Any) -> MachineVerdict:
    """Return the verdict of a machine, with its run stored here."""
    problem = result.reason if isinstance(result, Problem) else result.get("problem", "")
    if problem:
        return _not_examined(machine, problem)
    try:
        verdict = read_machine_verdict(result["verdict"])
    except ValueError:
        return _not_examined(machine, "it did not return a verdict")
    if verdict.machine != machine:
        return _not_examined(machine, f"it returned the verdict of {shortened(verdict.machine)}")
    if not result["files"]:
        return replace(verdict, run="")
    try:
        run = add_run(claim.folder / RESULTS, result["files"], machine)
    except UnusableRun as error:
        return _not_examined(machine, str(error))
    return replace(verdict, run=str(run.relative_to(claim.folder)))


def _not_examined(machine: str, why: str) -> MachineVerdict:
    return MachineVerdict(machine=machine, decision=Decision.NOT_EXAMINED, reason=why)
