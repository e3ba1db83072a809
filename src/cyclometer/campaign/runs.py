# SPDX-License-Identifier: MIT OR Apache-2.0
"""Starting a run, a comparison, and going on with an interrupted one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cyclometer.campaign.campaign import Campaign
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.options import Options, Progress
from cyclometer.campaign.plan import describe_run, require_same_conditions
from cyclometer.errors import NothingToDo, UnknownName
from cyclometer.records.run import RunInfo
from cyclometer.records.tuning_name import TuningName
from cyclometer.store import RunWriter


def run(environment: Environment, options: Options, results: Path, progress: Progress) -> Path:
    """Measure the selected systems; return the folder of the finished run."""
    with _new_run(results, describe_run(environment, options)) as writer:
        return Campaign(environment, options, writer, progress).run()


def compare(
    environment: Environment, options: Options, pair: tuple[TuningName, TuningName], results: Path, progress: Progress
) -> Path:
    """Measure two tunings against each other; return the folder of the run, whose plan names them as `pair`."""
    info = describe_run(environment, options)
    name = options.name or f"{info.run.removesuffix(options.profile)}compare"
    plan = {**info.plan, "pair": [str(each) for each in pair]}
    with _new_run(results, replace(info, run=name, plan=plan)) as writer:
        return Campaign(environment, options, writer, progress).run_pair(pair)


def resume(environment: Environment, folder: Path, progress: Progress) -> Path:
    """Finish an interrupted run as it was planned; StorageFailed if CPU, counter or contract have changed."""
    with RunWriter.resume(folder) as writer:
        require_same_conditions(environment, writer.info)
        campaign = Campaign(environment, Options.of_run(writer.info), writer, progress)
        if pair := writer.info.plan.get("pair"):
            return campaign.run_pair([TuningName.parse(name) for name in pair])
        return campaign.run()


@contextmanager
def _new_run(results: Path, info: RunInfo) -> Iterator[RunWriter]:
    """Start a run; discard it if there turns out to be nothing to do, so that `--resume` does not find it."""
    named = info.plan["options"]["name"]  # by the user: refused if it exists, not numbered
    with (RunWriter.start if named else RunWriter.start_numbered)(results, info) as writer:
        try:
            yield writer
        except (NothingToDo, UnknownName):
            writer.discard()
            raise
