# SPDX-License-Identifier: MIT OR Apache-2.0
"""TLS by OpenSSL as rungs of the ladder, and its handshakes beside their primitives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.protocol_study import study_report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> dict[str, Any]:
    remedy = "needs OpenSSL (Debian: apt install libssl-dev)"
    return study_report(tmp_path_factory.mktemp("tls"), build_cache, "tls", needs=("libssl",), remedy=remedy)


def test_calls_go_through_every_suite(report: dict[str, Any]) -> None:
    [calls] = [table for table in report["tables"] if table["view"] == "protocol-calls"]
    kinds = [row["label"].partition("+")[0] for row in calls["rows"]]
    assert kinds == ["plain", "null", *["tls1.3"] * 3, *["tls1.2"] * 3, *["dtls1.2"] * 2]
    assert all(row["figures"][0]["value"] > 0 for row in calls["rows"])


def test_a_handshake_takes_at_least_its_primitives(report: dict[str, Any]) -> None:
    [table] = [table for table in report["tables"] if table["view"] == "protocol-handshake"]
    labels = [column["label"] for column in table["columns"]]
    pairs = [
        f"{group} x {signature}" for group in ("X25519", "P-256") for signature in ("EC:P-256", "RSA:2048", "ED25519")
    ]
    older = ["tls1.2, X25519 x EC:P-256", "tls1.2, X25519 x RSA:2048", "dtls1.2, X25519 x EC:P-256"]
    assert sorted(row["label"] for row in table["rows"]) == sorted([*pairs, *older])
    for row in table["rows"]:
        figures = dict(zip(labels, (figure["value"] for figure in row["figures"]), strict=True))
        parts = sum(figures[name] for name in ("2 generate", "2 derive", "1 sign", "2 verify"))
        assert figures["sum"] == pytest.approx(parts)
        assert figures["full"] == pytest.approx(figures["sum"] + figures["rest"])


def test_the_verdict_names_each_handshake(report: dict[str, Any]) -> None:
    assert sum("its primitives are" in note for note in report["notes"]) == 9
