# SPDX-License-Identifier: MIT OR Apache-2.0
"""A machine reached by OpenSSH, as a fresh user: nothing is installed there, everything travels along."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from cyclometer.store import list_runs, open_runs
from support.command_line import CommandLine
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.ssh_server import SshServer, ssh_server

pytest.importorskip("distributed", reason="pip install 'cyclometer[fleet]'")


@pytest.fixture(scope="module")
def server() -> Iterator[SshServer]:
    with ssh_server() as running:
        yield running


def fleet(folder: Path, keys: str) -> Path:
    file = folder / "FLEET.toml"
    file.write_text(f'[[machine]]\nname = "far"\n{keys}', encoding="utf-8")
    return file


def test_a_fresh_user_measures_and_a_lost_connection_is_made_again(
    cyclometer: CommandLine, server: SshServer, tmp_path: Path
) -> None:
    arguments = ("salsa20", "--rounds", "2", "--patience", "0")
    begun = cyclometer.start("fleet", "run", fleet(tmp_path, server.keys()), *arguments)
    killed, process = False, 0
    assert begun.stderr
    for line in begun.stderr:
        print(line, end="")
        if ready := re.search(r"far: ready: .*process (\d+)", line):
            process = int(ready[1])
            owner = Path(f"/proc/{process}").owner()
            assert owner == server.user
        if not killed and "far: crypto_stream: measuring" in line:
            os.kill(process, signal.SIGKILL)
            killed = True
    assert begun.wait() == 0
    assert killed
    [run] = list_runs(cyclometer.results)
    assert (run.machine, run.state) == ("far", "complete")
    assert run.info
    assert not (server.home / ".local").exists(), "nothing is installed"
    assert not list((server.home / ".cache/cyclometer/fleet").glob("20*")), "it forgets what the client has"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("user = ", 'user = "ghost" # '), "Permission denied"),
        (("port = ", "port = 1 # "), "Connection refused"),
        (('"127.0.0.1"', '"127.0.0.1"\npython = "python9"'), "not found"),
    ],
)
def test_a_machine_that_is_not_reached_is_one_line(
    cyclometer: CommandLine, server: SshServer, tmp_path: Path, change: tuple[str, str], complaint: str
) -> None:
    result = cyclometer("fleet", "run", fleet(tmp_path, server.keys().replace(*change)), "salsa20")
    assert result.status == 2
    assert complaint in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr


def test_a_foreign_tree_travels_to_where_it_is_not(cyclometer: CommandLine, server: SshServer, tmp_path: Path) -> None:
    """This machine uses the tree in place; the fresh user, who may not read it here, gets a copy."""
    tree = ForeignTree(tmp_path / "theirs")
    tree.root.mkdir(mode=0o700)
    tree.write("crypto_verify/16/mine/verify.c", GOOD_VERIFY)
    roster = fleet(tmp_path, server.keys())
    roster.write_text(f'{roster.read_text(encoding="utf-8")}\n[[machine]]\nname = "near"\n', encoding="utf-8")
    result = cyclometer("fleet", "run", roster, "--tree", tree.root, "--rounds", "1", "--patience", "0", seconds=900)
    assert result.status == 0, result.stderr
    assert {run.machine: run.state for run in list_runs(cyclometer.results)} == {"far": "complete", "near": "complete"}
    assert "far: the tree theirs travels there" in result.stderr
    with open_runs(cyclometer.results, everything=True) as runs:
        measured = runs.sql("SELECT DISTINCT machine, primitive FROM samples").fetchall()
    assert sorted(measured) == [("far", "16"), ("near", "16")]
