# SPDX-License-Identifier: MIT OR Apache-2.0
"""HTTP/2 and gRPC as rungs of the ladder, in the clear and over TLS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.protocol_study import study_report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> dict[str, Any]:
    remedy = "nghttp2 or OpenSSL is not installed (Debian: apt install libnghttp2-dev libssl-dev)"
    return study_report(
        tmp_path_factory.mktemp("http2"), build_cache, "http2", needs=("libnghttp2", "libssl"), remedy=remedy
    )


def test_calls_go_through_http2_and_grpc_with_and_without_tls(report: dict[str, Any]) -> None:
    assert report["failures"] == []
    [calls] = report["tables"]
    layers = [row["label"].split("+")[:2] for row in calls["rows"]]
    assert layers[:2] == [["plain"], ["null"]]
    assert layers[3:] == [["http2", "plain"], ["http2", "tls1.3"], ["grpc", "plain"], ["grpc", "tls1.3"]]
    assert all(row["figures"][0]["value"] > 0 for row in calls["rows"])


def test_the_verdict_says_what_each_layer_adds(report: dict[str, Any]) -> None:
    assert [note.split(": ")[1].split(" ")[0] for note in report["notes"]] == ["HTTP/2", "over", "gRPC's"]
