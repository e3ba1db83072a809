# SPDX-License-Identifier: MIT OR Apache-2.0
"""What varies gets more samples: code whose cost changes from series to series, as that of RC4 does by itself."""

from __future__ import annotations

from collections import Counter
from textwrap import dedent

import pyarrow.parquet as pq
import pytest

from support.command_line import CommandLine
from support.small_tree import SmallTree

# Salsa20 that takes a chain of additions longer, some 30 %, in every other hundred calls.
UNSTEADY = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    #include "crypto_stream.h"
    #define crypto_stream_xor steady_xor
    #define SALSA20_ROUNDS 20
    #include "../../_salsa20/ref.h"
    #include "../../_salsa_chacha/stream.h"
    #undef crypto_stream_xor
    void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
    {
        static unsigned calls;
        for (volatile unsigned i = 0; calls / 100 % 2 && i < 400; i++) continue;
        calls++;
        steady_xor(state, out, in, length);
    }
    """
ROUNDS, SAMPLES = 2, 3  # rounds, and samples of a process
DISTURBED = "measuring again what was disturbed"  # on the screen, if a neighbour was there
RUN = ("run", "salsa20", "--length", "1024", "--rounds", str(ROUNDS), "--machine", "box", "--no-tables")


@pytest.fixture(scope="module")
def cyclometer(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    folder = tmp_path_factory.mktemp("precision")
    tree = SmallTree.grow(folder / "tree", "crypto_stream/salsa20/ref")
    for name in ("unsteady", "again"):
        copied = tree.copy("primitives/crypto_stream/salsa20/ref")
        copied.rename(copied.with_name(name))
        (copied.with_name(name) / "salsa20.c").write_text(dedent(UNSTEADY).lstrip(), encoding="utf-8")
    tree.plant("crypto_stream/salsa20/ref")
    return CommandLine(tree=tree.root, cache=folder / "cache", results=folder / "results")


def samples(cyclometer: CommandLine, *columns: str) -> Counter[tuple[object, ...]]:
    """Count the samples of the newest run by these columns."""
    newest = max((cyclometer.results / "box").iterdir(), key=lambda run: run.stat().st_mtime)
    table = pq.read_table(newest / "samples.parquet", columns=["control", "operation", *columns]).to_pylist()
    own = [row for row in table if row["operation"] == "crypto_stream" and not row["control"]]
    return Counter(tuple(row[name] for name in columns) for row in own)


def samples_of_processes(cyclometer: CommandLine) -> list[int]:
    """Count the samples of xor in each process of the newest run."""
    return [count for (measure, _), count in samples(cyclometer, "measure", "round").items() if measure == "xor"]


def test_a_process_takes_more_samples_of_what_varies(cyclometer: CommandLine) -> None:
    """Whether code varies is known from undisturbed samples. On a loud machine a process may have none."""
    result = cyclometer(*RUN, "--implementation", "unsteady")
    assert result.status == 0, result.stderr
    taken = samples_of_processes(cyclometer)
    assert max(taken) >= 3 * SAMPLES or DISTURBED in result.stderr


def test_what_was_planned_once_is_measured_more_often_like_anything_else(cyclometer: CommandLine) -> None:
    """The grid line `first` asks for one sample of a process, which does not show how far the next one lies."""
    result = cyclometer("run", "salsa20", "--rounds", "2", "--implementation", "ref", "--no-tables")
    assert result.status == 0, result.stderr
    assert samples(cyclometer, "measure")["first",] > 2


def test_without_patience_each_process_takes_those_that_were_planned(cyclometer: CommandLine) -> None:
    """Only what a neighbour disturbed has further processes."""
    result = cyclometer(*RUN, "--implementation", "unsteady", "--patience", "0")
    assert result.status == 0, result.stderr
    taken = samples_of_processes(cyclometer)
    assert len(taken) == ROUNDS or DISTURBED in result.stderr
    assert set(taken) == {SAMPLES}


def test_a_comparison_takes_more_rounds_of_what_varies(cyclometer: CommandLine) -> None:
    compare = ("compare", "--now", "salsa20:unsteady", "salsa20:again", "--length", "1024", "--machine", "box")
    result = cyclometer(*compare)
    assert result.status == 0, result.stderr
    assert "measuring what varies" in result.stderr


def test_rounds_that_are_asked_for_are_those_that_are_taken(cyclometer: CommandLine) -> None:
    compare = ("compare", "--now", "salsa20:unsteady", "salsa20:again", "--length", "1024", "--rounds", "2")
    result = cyclometer(*compare)
    assert result.status == 0, result.stderr
    assert "measuring what varies" not in result.stderr
