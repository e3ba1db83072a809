# SPDX-License-Identifier: MIT OR Apache-2.0
"""HTTP/2 and gRPC as rungs of the ladder, in the clear and over TLS."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.command_line import CommandLine
from support.small_tree import SmallTree


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> dict[str, Any]:
    if subprocess.run(["pkg-config", "--exists", "libnghttp2", "libssl"], check=False).returncode:
        pytest.skip("nghttp2 or OpenSSL is not installed (Debian: apt install libnghttp2-dev libssl-dev)")
    base = tmp_path_factory.mktemp("http2")
    tree = SmallTree.grow(base / "tree", "crypto_hash/sha-1/ref")
    tree.copy("protocols")
    command = CommandLine(tree=tree.root, cache=build_cache, results=base / "results")
    words = ("http2", "--rounds", "1", "--transport", "queue", "--payload", "45", "--format", "json")
    result = command("protocol", *words)
    assert result.status == 0, result.stderr
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def test_calls_go_through_http2_and_grpc_with_and_without_tls(report: dict[str, Any]) -> None:
    assert report["failures"] == []
    [calls] = report["tables"]
    layers = [row["label"].split("+")[:2] for row in calls["rows"]]
    assert layers[:2] == [["plain"], ["null"]]
    assert layers[3:] == [["http2", "plain"], ["http2", "tls1.3"], ["grpc", "plain"], ["grpc", "tls1.3"]]
    assert all(row["figures"][0]["value"] > 0 for row in calls["rows"])


def test_the_verdict_says_what_each_layer_adds(report: dict[str, Any]) -> None:
    assert [note.split(": ")[1].split(" ")[0] for note in report["notes"]] == ["HTTP/2", "over", "gRPC's"]
