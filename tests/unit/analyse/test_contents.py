# SPDX-License-Identifier: MIT OR Apache-2.0
"""The contents of runs, which are read before any number is computed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from cyclometer.analyse import contents
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.store import open_runs
from support.synthetic import process, run_info, sample, subject, write_run

BROKEN = Failure(
    stage="check", subject=subject("chacha"), kind=FailureKind.FORGERY_ACCEPTED, reason="accepts a forgery"
)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Store runs of two machines that share a system and a failure; the first machine has two runs."""
    for machine, run, names in (
        ("box", "2026-01-01T00-00-00-quick", ("salsa", "aes")),
        ("box", "2026-01-02T00-00-00-quick", ("aes",)),
        ("other", "2026-01-01T00-00-00-quick", ("aes",)),
    ):
        info = run_info(run=run, machine=machine)
        rows = [sample("empty", 0), sample("encrypt", 900, 64), sample("decrypt", 900, 64)]
        write_run(tmp_path, info, [process(name, rows, info=info) for name in names], failures=[BROKEN])
    with open_runs(tmp_path, everything=True) as connection:
        yield connection


def test_systems_are_listed_by_operation_and_by_run(connection: duckdb.DuckDBPyConnection) -> None:
    assert contents.measured(connection) == {"crypto_aead": ["aes", "salsa"]}
    assert contents.measured_by_run(connection) == {
        ("2026-01-01T00-00-00-quick", "box"): {"crypto_aead/aes", "crypto_aead/salsa"},
        ("2026-01-02T00-00-00-quick", "box"): {"crypto_aead/aes"},
        ("2026-01-01T00-00-00-quick", "other"): {"crypto_aead/aes"},
    }


def test_the_empty_call_is_no_measure(connection: duckdb.DuckDBPyConnection) -> None:
    assert contents.measures(connection) == {"crypto_aead": ["decrypt", "encrypt"]}


def test_a_failure_is_listed_once_for_each_machine(connection: duckdb.DuckDBPyConnection) -> None:
    found = contents.failures(connection)
    assert [(each.machine, each.failure) for each in found] == [("box", BROKEN), ("other", BROKEN)]


def test_the_condition_keeps_the_systems_named(connection: duckdb.DuckDBPyConnection) -> None:
    where = contents.of_these({"crypto_aead": ["salsa"], "crypto_hash": ["aes"]})
    assert connection.sql(f"SELECT DISTINCT primitive FROM samples WHERE {where}").fetchall() == [("salsa",)]
