# SPDX-License-Identifier: MIT OR Apache-2.0
"""A campaign of a fleet goes on whatever becomes of one run: a machine's fault is recorded, our disk's is repaired."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

pytest.importorskip("distributed", reason="pip install 'cyclometer[fleet]'")

from cyclometer.campaign import Options
from cyclometer.errors import StorageFailed
from cyclometer.fleet import FleetCampaign, read_fleet
from cyclometer.fleet.crew import Crew
from cyclometer.fleet.journal import FOLDER, Journal
from cyclometer.fleet.work import Outcome, forget
from cyclometer.store import list_runs, run_files
from support.synthetic import process, run_info, write_run

SALSA = process("salsa20-poly1305", cycles={("encrypt", 576): 3000})
CREW = cast(Crew, SimpleNamespace(scheduler=SimpleNamespace(alive=True)))


@dataclass
class FakeClient:
    """A client of Dask that notes what it is asked to do."""

    asked: list[Any] = field(default_factory=list)

    def submit(self, function: Any, part: Any, **_: Any) -> None:
        """Note a task."""
        self.asked.append((function, part.machine))


@dataclass
class Finished:
    """A future whose task has ended."""

    outcome: Outcome
    key: str = "collect"
    status: str = "finished"

    def result(self, timeout: float) -> Outcome:
        """Return what the task returned."""
        return self.outcome


@dataclass
class Rehearsal:
    """A campaign of the machines m1 and m2 on one operation, without processes."""

    results: Path
    said: list[str] = field(default_factory=list)
    client: FakeClient = field(default_factory=FakeClient)

    def __post_init__(self) -> None:
        file = self.results.with_name("FLEET.toml")
        file.write_text('[[machine]]\nname = "m1"\n[[machine]]\nname = "m2"\n', encoding="utf-8")
        journal = Journal(self.results / FOLDER / "c.json", Options(systems=()), {"crypto_aead": []})
        self.campaign = FleetCampaign(read_fleet(file), journal, self.results, self.said.append)

    def returns(self, machine: str, files: dict[str, bytes]) -> None:
        """Let a machine return the files of a run."""
        named = next(each for each in self.campaign.fleet.machines if each.name == machine)
        part = self.campaign._part(named, "crypto_aead")
        self.campaign._take(cast(Any, self.client), CREW, cast(Any, Finished(Outcome(files=files))), part)

    @property
    def forgotten(self) -> list[str]:
        """Return the machines that may remove their copy."""
        return [machine for function, machine in self.client.asked if function is forget]


@pytest.fixture
def rehearsal(tmp_path: Path) -> Rehearsal:
    return Rehearsal(tmp_path / "results")


def files_of(folder: Path, machine: str) -> dict[str, bytes]:
    """Return the files of a run of a machine."""
    return run_files(write_run(folder / f"of {machine}", run_info(machine=machine), [SALSA]))


def test_a_run_that_is_damaged_or_of_another_machine_is_recorded_and_the_others_are_stored(
    rehearsal: Rehearsal, tmp_path: Path
) -> None:
    rehearsal.returns("m1", files_of(tmp_path, "m2"))
    rehearsal.returns("m2", files_of(tmp_path / "own", "m2"))
    done = rehearsal.campaign.journal.done
    assert done["m1/crypto_aead"] == "no run: m1 was asked for a run, and sent one of m2"
    assert Path(done["m2/crypto_aead"]).is_dir()
    assert [run.machine for run in list_runs(rehearsal.results)] == ["m2"]
    assert rehearsal.forgotten == ["m1", "m2"]


def test_a_machine_keeps_what_our_own_disk_does_not_take(rehearsal: Rehearsal, tmp_path: Path) -> None:
    rehearsal.results.mkdir()
    (rehearsal.results / "m1").write_text("a file where the machine's folder should be")
    rehearsal.returns("m1", files_of(tmp_path, "m1"))
    rehearsal.returns("m2", files_of(tmp_path, "m2"))
    assert list(rehearsal.campaign.journal.done) == ["m2/crypto_aead"], "m1 is fetched again by --resume"
    assert rehearsal.forgotten == ["m2"]
    assert "m1: crypto_aead: not stored, the machine keeps it for `--resume`" in rehearsal.said[0]
    assert rehearsal.campaign.run()["m1/crypto_aead"].startswith("not stored: cannot ")
    (rehearsal.results / "m1").unlink()
    again = Rehearsal(rehearsal.results)
    again.campaign.journal = Journal.latest(rehearsal.results)
    again.returns("m1", files_of(tmp_path / "again", "m1"))
    assert again.campaign.run().keys() == {"m1/crypto_aead", "m2/crypto_aead"}
    assert not list((rehearsal.results / FOLDER).iterdir()), "the campaign is complete"


def test_a_part_is_not_done_if_the_journal_cannot_say_so(rehearsal: Rehearsal, tmp_path: Path) -> None:
    rehearsal.results.mkdir()
    (rehearsal.results / FOLDER).write_text("a file where the journal's folder should be")
    rehearsal.returns("m1", files_of(tmp_path, "m1"))
    assert [run.machine for run in list_runs(rehearsal.results)] == ["m1"]
    assert rehearsal.campaign.journal.done == {}
    assert rehearsal.forgotten == []


@pytest.mark.parametrize(
    "content",
    [
        b'{"options": {}, "parts": 3, "done": {}}',
        b'{"options": {}, "parts": {}, "done": [["m1"]]}',
        b'{"options": {"rounds": "2"}, "parts": {}, "done": {}}',
        b"\xff\xfe{\0}\0",
        b"[" * 100_000,
    ],
)
def test_a_damaged_journal_is_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "c.json").write_bytes(content)
    with pytest.raises(StorageFailed, match=r"c\.json: .*; remove it and start anew"):
        Journal.latest(tmp_path)
