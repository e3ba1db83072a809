# SPDX-License-Identifier: MIT OR Apache-2.0
"""OpenSSH's client and server around calls and set-ups of sessions, in a network of their own."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from cyclometer.execute.bubblewrap import has_user_namespace
from support.command_line import CommandLine
from support.requirements import is_missing
from support.small_tree import SmallTree

NAMES = ("aes128-ctr", "chacha20-poly1305", "umac-64-etm", "curve25519-sha256")
OPTIONS = ("--rounds", "2", "--payload", "45,70000", "--format", "json")


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> CommandLine:
    if not shutil.which("ssh") or not os.path.exists("/usr/sbin/sshd"):
        is_missing("openssh-server is not installed")
    if not has_user_namespace():
        pytest.skip("the server needs a user namespace")
    folder = tmp_path_factory.mktemp("ssh")
    tree = SmallTree.grow(folder / "tree", "crypto_hash/sha-1/ref")
    return CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")


@pytest.fixture(scope="module")
def report(command: CommandLine) -> dict[str, Any]:
    result = command("protocol", "ssh", *NAMES, *OPTIONS)
    assert result.status == 0, result.stderr
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def cells(report: dict[str, Any], view: str) -> dict[str, list[float]]:
    [table] = [table for table in report["tables"] if table["view"] == view]
    return {row["label"]: [figure["value"] for figure in row["figures"]] for row in table["rows"]}


def test_messages_come_back_through_ciphers_with_their_macs(report: dict[str, Any]) -> None:
    assert report["failures"] == []
    calls = cells(report, "protocol-calls")
    assert list(calls) == ["pipe", "ssh+aes128-ctr+umac-64-etm", "ssh+chacha20-poly1305"], "an AEAD is its own MAC"
    assert all(calls[name][0] > calls["pipe"][0] > 0 for name in calls if name != "pipe")


def test_sessions_begin_with_each_kind_of_host_key(report: dict[str, Any]) -> None:
    starts = cells(report, "protocol-handshake")
    kinds = {name.rpartition("+")[2] for name in starts if name.startswith("ssh+curve25519-sha256")}
    assert kinds == {"ed25519", "ecdsa", "rsa"}
    assert all(starts[name][0] > starts["banner"][0] > 0 for name in starts if name != "banner")


def test_the_verdict_compares_with_a_pipe(report: dict[str, Any]) -> None:
    assert [note.split(": ")[0] for note in report["notes"]][:2] == ["tcp, 45 bytes", "tcp, 70000 bytes"]
    assert "milliseconds to begin" in report["notes"][2]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["aes129-ctr"], "unknown algorithm of OpenSSH 'aes129-ctr'"),
        (["--transport", "udp"], "OpenSSH's calls go over TCP"),
    ],
)
def test_what_openssh_has_not_is_one_line(command: CommandLine, words: list[str], complaint: str) -> None:
    command("protocol", "ssh", *words).complains(complaint)
