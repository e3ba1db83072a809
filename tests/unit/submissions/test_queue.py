# SPDX-License-Identifier: MIT OR Apache-2.0
"""The folder of a queue: one entry that is damaged, edited or replayed holds up no other."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cyclometer import signing
from cyclometer.records.submission import Decision, Judged, MachineVerdict, Submission, SubmissionVerdict
from cyclometer.store import rename_folder
from cyclometer.submissions import Queue, work
from cyclometer.submissions import queue as module
from cyclometer.submissions.queue import Claim
from cyclometer.submissions.signed import signature_of, taken

RIGHT = Judged(implementation="crypto_hash/mine ref", verdict="ok", compilers=1)


def accept(claim: Claim) -> tuple[MachineVerdict, ...]:
    """Accept everything."""
    return (MachineVerdict(machine="box", decision=Decision.ACCEPTED, judged=(RIGHT,)),)


def examined(queue: Queue) -> list[str]:
    """Let a worker examine what waits; return what it says."""
    said: list[str] = []
    work(queue, accept, lambda verdict: None, said.append)
    return said


def changed(**values: Any) -> Callable[[Path], None]:
    """Return what changes values of a JSON file."""

    def change(file: Path) -> None:
        file.write_text(json.dumps({**json.loads(file.read_text()), **values}))

    return change


def made_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGE: dict[str, Callable[[Path], None]] = {
    "empty": lambda file: file.write_bytes(b""),
    "no JSON": lambda file: file.write_bytes(b"\xff{"),
    "a list": lambda file: file.write_text("[1, 2]"),
    "deep": lambda file: file.write_text("[" * 60_000),
    "a key too many": changed(other=1),
    "attempts as text": changed(attempts="many"),
    "negative attempts": changed(attempts=-9),
    "a name that is a list": changed(name=["a"]),
    "another's number": changed(id="../../../outside"),
}


def test_a_verdict_says_in_one_line_what_is_wrong_and_which_machine_has_another() -> None:
    submission = Submission(id="1", name="mine", received="2026-11-27T08:00:00Z", sha256="", bytes=1)
    bad = Judged(implementation="crypto_hash/mine fast", verdict="wrong", compilers=1, reason="disagrees with ref")
    here = MachineVerdict(machine="box", decision=Decision.REJECTED, judged=(RIGHT, bad))
    far = MachineVerdict(machine="far", decision=Decision.NOT_EXAMINED, reason="cannot be reached")
    assert SubmissionVerdict(submission=submission, machines=(far, here)).reasons == (
        "crypto_hash/mine fast: disagrees with ref; far: not examined: cannot be reached"
    )


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_entry_is_examined_and_holds_up_no_other(damage: Callable[[Path], None], tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue")
    first, second = queue.add(b"one", "one"), queue.add(b"two", "two")
    damage(queue.folder / "incoming" / first.id / "submission.json")
    assert {each.id for each in queue.waiting()} == {first.id, second.id}
    examined(queue)
    assert {each.submission.id: each.decision for each in queue.done()} == {
        first.id: Decision.ACCEPTED,
        second.id: Decision.ACCEPTED,
    }
    assert queue.done()[-1].submission.sha256 == first.sha256


def test_an_entry_that_cannot_be_taken_is_named_after_the_others_are_examined(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue")
    first, second = queue.add(b"one", "one"), queue.add(b"two", "two")
    made_a_folder(queue.folder / "incoming" / first.id / "submission.json")
    with pytest.raises(module.StorageFailed, match=first.id):
        examined(queue)
    assert [each.submission.id for each in queue.done()] == [second.id]


def test_a_pipe_in_the_place_of_an_archive_is_refused_and_nobody_waits_for_it(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue")
    folder = queue.folder / "incoming" / queue.add(b"one", "one").id
    (folder / "submission.tar").unlink()
    os.mkfifo(folder / "submission.tar")

    def examine(claim: Claim) -> tuple[MachineVerdict, ...]:
        assert claim.archive
        return accept(claim)

    assert work(queue, examine, lambda verdict: None, lambda line: None) == 1
    (verdict,) = queue.done()
    assert verdict.decision == Decision.REFUSED
    assert "not a regular file" in verdict.machines[0].reason


def test_a_disk_that_fails_leaves_a_submission_waiting(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue")
    first = queue.add(b"one", "one")

    def examine(_: Claim) -> tuple[MachineVerdict, ...]:
        raise module.StorageFailed("the disk is full")

    with pytest.raises(module.StorageFailed, match="the disk is full"):
        work(queue, examine, lambda verdict: None, lambda line: None)
    assert [(each.id, each.attempts) for each in queue.waiting()] == [(first.id, 0)]


BAD_VERDICTS: dict[str, Callable[[Path], None]] = {
    **{name: DAMAGE[name] for name in ("empty", "no JSON", "a list", "deep")},
    "machines as text": changed(machines="box"),
    "a number as a reason": changed(machines=[{"machine": "box", "decision": "accepted", "reason": 1, "judged": []}]),
    "another's number": changed(submission={"id": "../../outside"}),
    "missing": Path.unlink,
}


@pytest.mark.parametrize("damage", BAD_VERDICTS.values(), ids=BAD_VERDICTS)
def test_a_damaged_verdict_says_so_and_the_others_stay(damage: Callable[[Path], None], tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue")
    first, second = queue.add(b"one", "one"), queue.add(b"two", "two")
    examined(queue)
    damage(queue.folder / "done" / first.id / "verdict.json")
    found = {each.submission.id: each for each in queue.done()}
    assert found[second.id].decision == Decision.ACCEPTED
    assert found[first.id].decision == Decision.NOT_EXAMINED
    assert "damaged" in found[first.id].machines[0].reason


def test_a_page_that_cannot_be_written_holds_up_no_other(tmp_path: Path) -> None:
    queue, said = Queue(tmp_path / "queue"), []  # type: ignore[var-annotated]
    queue.add(b"one", "one")
    queue.add(b"two", "two")

    def publish(verdict: SubmissionVerdict) -> None:
        if verdict.submission.name == "one":
            raise ValueError("something odd in it")

    assert work(queue, accept, publish, said.append) == 2
    assert any("its page cannot be written: something odd in it" in line for line in said)


def test_nobody_can_take_a_submission_that_is_just_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for work at the worst moment: when another worker is about to move its submission to done/."""
    queue = Queue(tmp_path / "queue")
    queue.add(b"one", "one")
    seen: list[Claim | None] = []

    def rename(source: Path, target: Path) -> None:
        if target.parent.name == "done":
            with queue.claim() as other:
                seen.append(other)
        rename_folder(source, target)

    monkeypatch.setattr(module, "rename_folder", rename)
    examined(queue)
    assert seen == [None]
    assert [path.name for path in (queue.folder / "running").iterdir()] == []
    assert not list((queue.folder / "done").glob("*/lock"))


def test_a_replayed_submission_costs_its_sender_nothing(tmp_path: Path) -> None:
    key, queue = Ed25519PrivateKey.generate(), Queue(tmp_path / "queue")
    trusted = signing.read_trusted(f"{signing.public_line(key)}\n")

    def send(content: bytes, name: str) -> str:
        return taken(queue, trusted, 2, content, name, signature_of(content, key))

    first = send(b"one", "one")
    assert [send(b"one", f"copy {number}") for number in range(5)] == [first] * 5
    examined(queue)
    assert send(b"one", "again") == first
    assert send(b"two", "two") != first
    assert queue.sent_by(signing.fingerprint(signing.public_line(key)), datetime.timedelta(days=1)) == 2
    with pytest.raises(module.RefusedFile, match="has sent 2 submissions"):
        send(b"three", "three")
