# SPDX-License-Identifier: MIT OR Apache-2.0
"""Property tests and measures of signatures, on a toy and its faulty variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer import campaign
from cyclometer.execute import keypair_cache, sandbox
from cyclometer.execute.timed import call
from cyclometer.measure.process import table_of
from cyclometer.store import open_runs
from support.command_line import CommandLine, Result
from support.small_tree import ONE_COMPILER, SmallTree
from support.toy_signature import FAULTY_STATEFUL, FAULTY_STATELESS, STATEFUL, STATELESS, TYPES, Change, plant
from support.whole_tree import SilentProgress

STATES = "#define crypto_sign_STATEFUL 1\n"


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree.grow(tmp_path / "tree")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> dict[str, Result]:
    """Check all faulty variants of each toy at once, beside the right one."""
    results = {}
    for toy, source, types, faulty in (
        ("stateless", STATELESS, TYPES, FAULTY_STATELESS),
        ("stateful", STATEFUL, STATES, FAULTY_STATEFUL),
    ):
        folder = tmp_path_factory.mktemp(toy)
        tree = SmallTree.grow(folder / "tree")
        plant(tree, source, types)
        for change in faulty:
            plant(tree, change.apply_to(source), types, change.name)
        command = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
        results[toy] = command("check", "toy", "--format", "json")
    return results


@pytest.mark.parametrize("change", FAULTY_STATELESS, ids=lambda change: change.name)
def test_check_names_the_fault(change: Change, checked: dict[str, Result]) -> None:
    assert checked["stateless"].kinds()[change.name] == change.kind


@pytest.mark.parametrize("change", FAULTY_STATEFUL, ids=lambda change: change.name)
def test_check_names_the_fault_of_a_stateful_signature(change: Change, checked: dict[str, Result]) -> None:
    assert checked["stateful"].kinds()[change.name] == change.kind


@pytest.mark.parametrize("toy", ["stateless", "stateful"])
def test_check_passes_the_right_toy_beside_the_wrong_ones(toy: str, checked: dict[str, Result]) -> None:
    assert checked[toy].right() == {"ref"}


def test_batches_and_expanded_keys_are_measured(tree: SmallTree, cyclometer: CommandLine) -> None:
    plant(tree, STATELESS, TYPES)
    result = cyclometer("run", "toy", "--rounds", "1")
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        measured = {row[0] for row in runs.sql("SELECT DISTINCT measure FROM samples").fetchall()}
        sizes = dict(runs.sql("SELECT name, value FROM sizes").fetchall())
    more = {"open_batch", "expand_public", "expand_secret", "open_expanded", "sign_expanded"}
    assert measured == {"empty", "keypair", "sign", "open", "reject"} | more
    wanted = {"keypair_random_bytes": 16, "keypair_random_calls": 1, "sign_random_bytes": 8, "sign_random_calls": 1}
    wanted |= {"overhead_23_bytes": 24, "sent_23_bytes": 16 + 23 + 24, "sent_709_bytes": 16 + 709 + 24}
    assert wanted.items() <= sizes.items()


def test_measures_that_are_not_offered_are_left_out(tree: SmallTree, cyclometer: CommandLine) -> None:
    plant(tree, STATEFUL, STATES)
    assert cyclometer("run", "toy", "--rounds", "1").status == 0
    with open_runs(cyclometer.results) as runs:
        measured = {row[0] for row in runs.sql("SELECT DISTINCT measure FROM samples").fetchall()}
    assert measured == {"empty", "keypair", "sign", "open", "reject"}


# Whether the process is one that is timed; the checks make thousands of key pairs.
TIMED = """
#include <string.h>
#include <time.h>
static int timed;
__attribute__((constructor)) static void look(int count, char **arguments)
{
    while (count--) timed |= !strcmp(arguments[count], "measure") || !strcmp(arguments[count], "repeat");
}
"""


def test_a_slow_series_ends_early_with_fewer_timings(tree: SmallTree, cyclometer: CommandLine) -> None:
    wait = "for (clock_t end = clock() + CLOCKS_PER_SEC / 150; timed && clock() < end;) {}"
    slow = Change(name="slow", old="randombytes(pk, 16);", new=f"{wait} randombytes(pk, 16);")
    plant(tree, TIMED + slow.apply_to(STATELESS), TYPES)
    assert cyclometer("run", "toy", "--rounds", "1", "--time-limit", "200").status == 0
    with open_runs(cyclometer.results) as runs:
        rows = runs.sql("SELECT measure, max(len(series)) FROM samples GROUP BY ALL").fetchall()
    timings = dict(rows)
    assert 1 <= timings["keypair"] < 15
    assert timings["sign"] >= 15  # more where the counter advances in steps


def test_a_slow_key_pair_is_generated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program reports a slow key pair and measures with one that it is given; it does not report a quick one.

    The cache is a new one: what was checked before is not run again and generates nothing.
    """
    monkeypatch.setenv("CYCLOMETER_CACHE", str(tmp_path / "cache"))
    effort = "const clock_t until = clock() + CLOCKS_PER_SEC / 10; while (clock() < until) continue;"
    slow_source = "#include <time.h>\n" + STATELESS.replace("randombytes(pk", f"{effort} randombytes(pk")
    tree = SmallTree.grow(tmp_path / "tree")
    tree.write("toolchains/gcc.toml", ONE_COMPILER)
    plant(tree, STATELESS, TYPES, "quick")
    plant(tree, slow_source, TYPES, "slow")
    environment = campaign.prepare_environment(tree.root)
    right, wrong = campaign.check(environment, campaign.Options(systems=("toy",)), SilentProgress())
    assert wrong == []
    quick, slow = sorted(right, key=lambda executable: executable.subject.implementation)
    assert keypair_cache.arguments(quick) == ()
    (pair,) = keypair_cache.arguments(slow)
    _, public, secret = pair.split()
    assert secret == public + 8 * "00"

    def measured(*given: str) -> sandbox.Outcome:
        return call(slow, "measure", "1", "3", "0", "0", "0", *given, "sign length=5")

    drawn, handed = measured(), measured(pair)
    assert b"pair\t" in drawn.stdout
    assert b"pair\t" not in handed.stdout
    assert b"\tsign\t5\t" in handed.stdout
    assert b"secret key has 1 bytes; the primitive takes 24" in measured(f"pair {public} 00").stdout


def test_slow_signatures_are_retaken_with_the_same_messages_and_quick_calls_with_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All implementations make the same signatures, of which some take longer. Quick calls could be learned.

    With a noise floor that nothing reaches, every series counts as disturbed and is retaken.
    """
    monkeypatch.setenv("CYCLOMETER_CACHE", str(tmp_path / "cache"))
    wait = "for (volatile int i = 0; i < 100000; i++) {}"
    slow = Change(name="slow", old="randombytes(sm + 16, 8);", new=f"{wait} randombytes(sm + 16, 8);")
    tree = SmallTree.grow(tmp_path / "tree")
    tree.write("toolchains/gcc.toml", ONE_COMPILER)
    plant(tree, slow.apply_to(STATELESS), TYPES)
    environment = campaign.prepare_environment(tree.root)
    [[executable], _] = campaign.check(environment, campaign.Options(systems=("toy",)), SilentProgress())
    outcome = call(executable, "measure", "1", "15", "500", "0.000001", "0", "sign length=5,23", "open length=1-20")
    samples = table_of([line for line in outcome.stdout.splitlines() if line.startswith(b"sample\t")])
    is_slow, is_quick = samples["measure"] == "sign", samples["measure"] == "open"
    assert samples["retakes"][is_slow].min() > 0
    assert set(samples["number"][is_slow]) == {0}
    assert samples["retakes"][is_quick].min() > 0
    assert set(samples["number"][is_quick]) != {0}
