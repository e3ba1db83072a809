# SPDX-License-Identifier: MIT OR Apache-2.0
"""Submissions of strangers: queued, built, checked and timed in the sandbox, and a verdict on each, by itself."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import tarfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from cyclometer import signing
from cyclometer.store import list_runs
from support.command_line import CommandLine
from support.foreign_tree import GOOD_VERIFY, WHETHER_TIMED, ForeignTree
from support.processes import wait_until_none_has
from support.small_tree import SmallTree

WRONG = '#include "crypto_verify.h"\nint crypto_verify(const unsigned char *x, const unsigned char *y)\n{ return 0; }\n'
ENDLESS = GOOD_VERIFY.replace("{\n", "{\n    for (volatile int i = 0; i < 1; i += 0) { }\n", 1)
WRONG_WHEN_TIMED = (
    WHETHER_TIMED
    + GOOD_VERIFY.replace("int crypto_verify", "static int right")
    + """
int crypto_verify(const unsigned char *x, const unsigned char *y)
{
    return timed ? -1 - right(x, y) : right(x, y);
}
"""
)


def spy(path: Path) -> str:
    """Return an implementation that takes a file of the queue into itself when it is assembled."""
    return GOOD_VERIFY + f'\n__asm__(".pushsection .rodata\\n.incbin \\"{path}\\"\\n.popsection");\n'


def folder(home: Path, name: str, source: str) -> Path:
    """Write a tree with one implementation of crypto_verify/16."""
    ForeignTree(home / name).write("crypto_verify/16/mine/verify.c", source)
    return home / name


def archive(file: Path, *entries: tarfile.TarInfo) -> Path:
    """Write a tar of these entries, each with four bytes of content."""
    with tarfile.open(file, "w") as tar:
        for entry in entries:
            entry.size = 4 if entry.isreg() else 0
            tar.addfile(entry, io.BytesIO(b"code"))
    return file


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> tuple[CommandLine, Path]:
    """Let six strangers hand something in, and one worker examine it."""
    home = tmp_path_factory.mktemp("submissions")
    tree = SmallTree.grow(home / "tree", "crypto_stream/salsa20/ref")
    cyclometer = CommandLine(tree=tree.root, cache=build_cache, results=home / "results")
    queue = home / "queue"
    (home / "trees").mkdir()
    handed_in = [
        folder(home / "trees", "good", GOOD_VERIFY),
        folder(home / "trees", "wrong", WRONG),
        folder(home / "trees", "broken", "this is not C\n"),
        folder(home / "trees", "sly", GOOD_VERIFY),
        archive(home / "traversal.tar", tarfile.TarInfo("crypto_verify/16/../../../../escaped.c")),
    ]
    ForeignTree(home / "trees" / "sly").write("crypto_verify/16/sly/verify.c", WRONG_WHEN_TIMED)
    assert cyclometer("queue", "add", queue, *handed_in).status == 0
    (queue / "secret").write_text("of another", encoding="utf-8")
    assert cyclometer("queue", "add", queue, folder(home / "trees", "spy", spy(queue / "secret"))).status == 0
    result = cyclometer("queue", "work", queue, "--machine", "box", seconds=600)
    assert result.status == 0, result.stderr
    return cyclometer, queue


def verdicts(cyclometer: CommandLine, queue: Path) -> dict[str, dict[str, Any]]:
    shown = json.loads(cyclometer("queue", "show", queue, "--format", "json").stdout)
    return {each["submission"]["name"]: each for each in shown["done"]}


def test_what_is_right_is_accepted_and_measured(queue: tuple[CommandLine, Path]) -> None:
    cyclometer, folder = queue
    good = verdicts(cyclometer, folder)["good"]
    assert good["decision"] == "accepted"
    [machine] = good["machines"]
    assert {each["verdict"] for each in machine["judged"]} == {"ok"}
    home = folder / "done" / good["submission"]["id"]
    table = cyclometer("table", "--results", home / "results", "--format", "json")
    assert json.loads(table.stdout)["tables"], "its numbers are a run like any other"
    assert machine["run"].startswith("results/box/")
    assert (home / "report" / "index.html").exists()
    assert not (home / "source").exists(), "what was unpacked is removed"


@pytest.mark.parametrize(
    ("name", "decision", "said"),
    [
        ("wrong", "rejected", "wrong_output"),
        ("broken", "rejected", "does_not_compile"),
        ("spy", "rejected", "file not found"),
        ("traversal.tar", "refused", "leads out of the archive"),
    ],
)
def test_what_is_not_right_gets_a_page_with_the_reason(
    queue: tuple[CommandLine, Path], name: str, decision: str, said: str
) -> None:
    """The spy's code is right, but the compiler does not see what it wants to read from the queue."""
    cyclometer, folder = queue
    verdict = verdicts(cyclometer, folder)[name]
    assert verdict["decision"] == decision, verdict
    page = (folder / "done" / verdict["submission"]["id"] / "index.html").read_text(encoding="utf-8")
    assert said in page
    assert name == "spy" or str(folder) not in page, "nobody learns where the queue is"
    assert f"done/{verdict['submission']['id']}/index.html" in (folder / "index.html").read_text(encoding="utf-8")


def test_what_is_wrong_only_when_timed_is_rejected_beside_what_is_right(queue: tuple[CommandLine, Path]) -> None:
    [machine] = verdicts(*queue)["sly"]["machines"]
    assert machine["decision"] == "rejected"
    wrong = [each["implementation"] for each in machine["judged"] if each["verdict"] == "wrong"]
    assert wrong == ["crypto_verify/16 sly"]


def test_nothing_is_written_outside_the_queue(queue: tuple[CommandLine, Path]) -> None:
    _, folder = queue
    assert not list(folder.parent.rglob("escaped.c"))


def test_a_killed_worker_and_an_endless_submission_hold_up_nobody(
    queue: tuple[CommandLine, Path], tmp_path: Path
) -> None:
    """Kill the worker while it examines; the next one begins anew, and gives up what takes too long."""
    cyclometer, _ = queue
    folder_of_queue = tmp_path / "queue"
    assert cyclometer("queue", "add", folder_of_queue, folder(tmp_path, "endless", ENDLESS)).status == 0
    begun = cyclometer.start("queue", "work", folder_of_queue)
    until = time.monotonic() + 240
    while not list(folder_of_queue.glob("running/*/source")):
        assert time.monotonic() < until
        time.sleep(0.05)
    os.kill(begun.pid, signal.SIGKILL)
    begun.communicate()
    next_one = archive(tmp_path / "next.tar", tarfile.TarInfo("../escaped.c"))
    assert cyclometer("queue", "add", folder_of_queue, next_one).status == 0
    result = cyclometer("queue", "work", folder_of_queue, "--budget", "5s", seconds=600)
    assert result.status == 0, result.stderr
    found = verdicts(cyclometer, folder_of_queue)
    assert found["endless"]["decision"] == "abandoned"
    assert found["endless"]["submission"]["attempts"] == 2
    assert "next.tar" in found, "its turn has come; on a busy machine, five seconds may be too few to refuse it"
    wait_until_none_has(folder_of_queue)  # no process of an examination is left


def test_a_submission_is_examined_on_every_machine_of_a_fleet(queue: tuple[CommandLine, Path], tmp_path: Path) -> None:
    """The third machine has another contract, so it does not examine, and the verdict of the others stands."""
    pytest.importorskip("distributed", reason="pip install 'cyclometer[fleet]'")
    cyclometer, _ = queue
    other = SmallTree.grow(tmp_path / "other", "crypto_stream/salsa20/ref")
    grid = "operations/crypto_stream/operation.toml"
    other.change(grid, '[choose]\ngrid = ["', '[choose]\ngrid = ["empty 0", "')
    roster = tmp_path / "FLEET.toml"
    names = ("m1", "m2", f'm3"\ntree = "{other.root}')
    roster.write_text("".join(f'[[machine]]\nname = "{name}"\n' for name in names), encoding="utf-8")
    waiting = tmp_path / "queue"
    assert cyclometer("queue", "add", waiting, folder(tmp_path / "trees", "good", GOOD_VERIFY)).status == 0
    result = cyclometer("queue", "work", waiting, "--fleet", roster, seconds=600)
    assert result.status == 0, result.stderr
    found = verdicts(cyclometer, waiting)
    assert found["good"]["decision"] == "accepted"
    decisions = {each["machine"]: each["decision"] for each in found["good"]["machines"]}
    assert decisions == {"m1": "accepted", "m2": "accepted", "m3": "not_examined"}
    home = waiting / "done" / found["good"]["submission"]["id"]
    assert {run.machine for run in list_runs(home / "results")} == {"m1", "m2"}
    assert "its contract of crypto_stream is" in (home / "index.html").read_text(encoding="utf-8")


def test_a_server_takes_what_its_keys_have_signed(queue: tuple[CommandLine, Path], tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="pip install 'cyclometer[collect]'")
    cyclometer, shown = queue
    for name in ("mine", "stranger"):
        signing.make_key(tmp_path / name)
    mine, good = tmp_path / "mine", folder(tmp_path / "trees", "good", GOOD_VERIFY)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    keys = mine.with_suffix(".pub")
    server = cyclometer.start(
        "collect", tmp_path / "public", "--keys", keys, "--queue", shown, "--port", str(port), "--per-day", "1"
    )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(port)
        sent = cyclometer("queue", "send", url, good, "--key", mine)
        assert sent.status == 0, sent.stderr
        cyclometer("queue", "send", url, good, "--key", tmp_path / "stranger").complains("is not trusted here")
        again = cyclometer("queue", "send", url, good, "--key", mine)
        assert again.stdout == sent.stdout, "a replayed submission is not queued again"
        wrong = folder(tmp_path, "wrong", WRONG)
        cyclometer("queue", "send", url, wrong, "--key", mine).complains("has sent 1 submissions within a day")
        [waiting] = json.loads(cyclometer("queue", "show", shown, "--format", "json").stdout)["waiting"]
        assert sent.stdout.startswith(f"{waiting['id']}: good: the verdict will be at {url}/submissions/")
        with urllib.request.urlopen(f"{url}/submissions/", timeout=60) as page:
            assert b"traversal.tar" in page.read(), "the verdicts are shown"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{url}/submissions/incoming/{waiting['id']}/submission.tar", timeout=60)
    finally:
        server.kill()
        server.communicate()


def wait_for(port: int) -> None:
    """Wait until somebody listens."""
    until = time.monotonic() + 240
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < until, "the server does not listen"
            time.sleep(0.1)


def test_a_queue_that_programs_could_read_is_refused(queue: tuple[CommandLine, Path], tmp_path: Path) -> None:
    cyclometer, _ = queue
    broken = folder(tmp_path, "broken", "this is not C\n")
    cyclometer("queue", "add", "/usr/queue", broken).complains("the sandbox shows this folder")
