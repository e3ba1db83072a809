# SPDX-License-Identifier: MIT OR Apache-2.0
"""gRPC's own library at both ends, beside plain sockets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cyclometer.execute.bubblewrap import has_user_namespace
from support.command_line import CommandLine
from support.small_tree import SmallTree

RUNGS = ["socket", "grpc", "grpc+tls"]


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> CommandLine:
    pytest.importorskip("grpc", reason="grpcio is not installed (pip install cyclometer[protocols])")
    if not has_user_namespace():
        pytest.skip("the servers need a user namespace")
    folder = tmp_path_factory.mktemp("grpc")
    tree = SmallTree.grow(folder / "tree", "crypto_hash/sha-1/ref")
    return CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")


def test_calls_go_through_grpc_with_and_without_tls(command: CommandLine) -> None:
    result = command("protocol", "grpc", "--rounds", "1", "--payload", "45", "--format", "json")
    assert result.status == 0, result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    assert report["failures"] == []
    tables = {(table["view"], table["measure"]): table["rows"] for table in report["tables"]}
    for transport in ("tcp", "unix"):
        rows = tables["protocol-calls", f"call-{transport}"]
        assert [row["label"] for row in rows] == RUNGS
        assert all(row["figures"][0]["value"] > rows[0]["figures"][0]["value"] for row in rows[1:])
    assert [row["label"] for row in tables["protocol-handshake", "handshake-full"]] == RUNGS
    assert [note.partition(":")[0] for note in report["notes"]] == ["tcp, 45 bytes"] * 2 + ["unix, 45 bytes"] * 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--transport", "udp"], "unknown transport of gRPC 'udp'"),
        (["aes-128-gcm"], "the layers are gRPC's own"),
        (["--keys", "32"], "gRPC's calls are made one at a time"),
    ],
)
def test_what_grpc_has_not_is_one_line(command: CommandLine, words: list[str], complaint: str) -> None:
    command("protocol", "grpc", *words).complains(complaint)
