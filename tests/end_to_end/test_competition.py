# SPDX-License-Identifier: MIT OR Apache-2.0
"""The worked example of docs/competition.md from the entrant's check to a stranger's repetition, with two operators."""

from __future__ import annotations

import datetime
import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import cyclometer.competition.bundle as publication
from cyclometer.competition import read_competition
from cyclometer.signing import read_key, sign
from support.command_line import CommandLine, Result
from support.competition_folder import example, small_tree
from support.requirements import need


class Round:
    """A frozen competition that two operators have measured, and its bundle."""

    def __init__(self, base: Path, cache: Path) -> None:
        self.base = base
        self.folder = example(base / "competition")
        self.bundle, self.key = base / "bundle", base / "organiser"
        tree = small_tree(base / "tree").root
        self.command = CommandLine(tree=tree, cache=cache, results=base / "results")

    def __call__(self, action: str, *arguments: str | Path) -> Result:
        return self.command("competition", action, *arguments)

    def hold(self) -> Result:
        """Freeze, measure twice, publish; return what the last one prints."""
        (self.folder / "submissions" / "stone" / ".clang-format").write_text(
            "BasedOnStyle: LLVM\n"
        )  # is published, too
        self.succeeds("key", self.key)
        self.succeeds("freeze", self.folder, "--key", self.key)
        for operator, machine in (("ann", "north"), ("ben", "south")):
            self.succeeds("run", self.folder, "--operator", operator, "--machine", machine, "--rounds", "2")
        return self.succeeds("publish", self.folder, "--key", self.key, "-o", self.bundle)

    def succeeds(self, action: str, *arguments: str | Path) -> Result:
        result = self(action, *arguments)
        assert result.status == 0, result.stderr
        return result


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> tuple[Round, Result]:
    need("bwrap")
    need("valgrind")
    competition = Round(tmp_path_factory.mktemp("competition"), build_cache)
    return competition, competition.hold()


def table(bundle: Path, name: str) -> dict[str, dict[str, object]]:
    """Return the standing of a class: system -> column -> value."""
    found = json.loads((bundle / "tables" / f"{name}.json").read_text())["tables"][0]
    labels = [column["label"] for column in found["columns"]]
    return {
        row["label"]: {label: figure and figure["value"] for label, figure in zip(labels, row["figures"], strict=True)}
        for row in found["rows"]
    }


def test_an_entrant_sees_the_verdict_at_once(held: tuple[Round, Result]) -> None:
    competition, _ = held
    result = competition("check", competition.folder, "--format", "json")
    assert result.status == 1
    found = {each["submission"]: each for each in json.loads(result.stdout)["verdicts"]}
    assert {name: each["admitted"] for name, each in found.items()} == {"brook": True, "stone": True, "hasty": False}
    assert "vector" in found["hasty"]["failures"][0]
    assert found["brook"]["constant"] == ["ref"]
    assert "address depends on a secret" in found["stone"]["leaks"][0]  # the S-box of AES
    assert "constant_time" in found["stone"]["classes"]["gateway"]


def test_operators_saw_labels_only(held: tuple[Round, Result]) -> None:
    competition, _ = held
    runs = list((competition.folder / "runs").glob("*/*/*/run.json"))
    assert len(runs) == 2
    told = [set(json.loads(run.read_text())["primitives"]) for run in runs]
    assert not any(word in name for names in told for name in names for word in ("brook", "stone", "hasty"))
    labels = [{name for name in names if "entry-" in name} for names in told]
    assert labels[0].isdisjoint(labels[1])
    declared = [each for run in runs for each in json.loads(run.read_text())["primitives"].items()]
    named = [name for name, facts in declared if "entry-" in name and "composition" not in facts and facts["designers"]]
    assert named == []  # stone's primitive.toml names who made GCM


def test_both_operators_agree_that_streams_of_words_beat_aes_bit_by_bit(held: tuple[Round, Result]) -> None:
    found = table(held[0].bundle, "sensor")
    assert found["brook"]["place"] == "1"
    assert found["brook"]["counts"] == "yes"
    assert found["stone"]["/best"] > 2  # type: ignore[operator]
    assert found["aes-256-gcm"]["/aes-256-gcm"] == 1  # the baseline


def test_a_disqualified_entry_stays_listed_with_its_first_failing_case(held: tuple[Round, Result]) -> None:
    competition, published = held
    for name in ("sensor", "gateway"):
        row = table(competition.bundle, name)["hasty"]
        assert row["place"] == "-"
        assert "vector" in str(row["not ranked because"])
    assert "hasty is not ranked" in published.stdout


def test_what_a_killed_run_left_is_not_published(held: tuple[Round, Result], tmp_path: Path) -> None:
    competition, _ = held
    left = shutil.copytree(competition.folder, tmp_path / "left")
    [run] = (left / "runs" / "ben" / "south").iterdir()
    shutil.copytree(run, run.with_name(f".{run.name}.partial"))
    competition.succeeds("publish", left, "--key", competition.key, "-o", tmp_path / "bundle")
    assert not list((tmp_path / "bundle").rglob(".*.partial"))


def test_the_name_of_a_killed_publication_is_free(
    held: tuple[Round, Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    competition, _ = held
    found, target = read_competition(competition.folder), tmp_path / "bundle"
    left = tmp_path / ".bundle.making" / "tables"  # what kill -9 leaves
    left.mkdir(parents=True)
    (left / "half.json").write_text("{")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(publication, "table_files", interrupted)
        with pytest.raises(KeyboardInterrupt):
            publication.publish(found, competition.key, target, datetime.date(2026, 12, 1))
    assert list(tmp_path.iterdir()) == []
    competition.succeeds("publish", competition.folder, "--key", competition.key, "-o", target)
    competition.succeeds("verify", target)
    assert list(tmp_path.iterdir()) == [target]


def test_what_a_killed_run_left_is_removed_by_the_next(held: tuple[Round, Result], tmp_path: Path) -> None:
    competition, _ = held
    left = shutil.copytree(competition.folder, tmp_path / "left")
    [run] = (left / "runs" / "ben" / "south").iterdir()
    shutil.copytree(run, run.with_name(".killed.partial"))
    competition.succeeds("run", left, "--operator", "ben", "--machine", "south")
    assert list(run.parent.iterdir()) == [run]


def test_anybody_verifies_the_bundle_and_its_signature(held: tuple[Round, Result]) -> None:
    competition, _ = held
    public = competition.key.with_suffix(".pub")
    assert "every table is as signed" in competition.succeeds("verify", competition.bundle, "--signer", public).stdout
    competition("key", competition.base / "other")
    other = competition.base / "other.pub"
    competition("verify", competition.bundle, "--signer", other).complains("SHA256SUMS", "another key")
    need("ssh-keygen")
    allowed = competition.base / "allowed"
    allowed.write_text(f"organiser {public.read_text()}")
    line = ("ssh-keygen", "-Y", "verify", "-f", allowed, "-I", "organiser", "-n", "competition@cyclometer", "-s")
    with (competition.bundle / "SHA256SUMS").open("rb") as sums:
        ended = subprocess.run([*line, competition.bundle / "SHA256SUMS.sig"], stdin=sums, check=False)
    assert ended.returncode == 0


def test_one_changed_byte_anywhere_is_refused_and_named(held: tuple[Round, Result]) -> None:
    competition, _ = held
    files = sorted(path for path in competition.bundle.rglob("*") if path.is_file())
    one_of_each = {file.name: file for file in files}
    assert {"samples.parquet", "frozen.json", "sensor.csv", "aead.c", "SHA256SUMS.sig"} <= one_of_each.keys()
    for name in ("samples.parquet", "frozen.json", "frozen.json.sig", "sensor.csv", "SHA256SUMS.sig"):
        file = one_of_each[name]
        content = file.read_bytes()
        file.write_bytes(content[:-20] + bytes([content[-20] ^ 1]) + content[-19:])
        try:
            competition("verify", competition.bundle).complains(name)
        finally:
            file.write_bytes(content)


def signed_anew(bundle: Path, key: Path) -> None:
    """Sign everything that is in a bundle, as an organiser can who has changed it."""
    own = {bundle / "SHA256SUMS", bundle / "SHA256SUMS.sig"}
    files = [file for file in sorted(bundle.rglob("*")) if file.is_file() and not file.is_symlink()]
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(bundle)}\n"
        for file in files
        if file not in own
    ]
    (bundle / "SHA256SUMS").write_text("".join(lines))
    signature = sign("".join(lines).encode(), read_key(key), "competition@cyclometer")
    (bundle / "SHA256SUMS.sig").write_text(signature)


ATTACK = {"who": ["nobody"], "year": 2026, "breaks": "nothing", "cost": "", "remaining_bits": 1, "citation": ""}


def declared_otherwise(**changes: object) -> Callable[[Path], None]:
    """Let an operator's run say something else of each system."""

    def change(bundle: Path) -> None:
        [run] = (bundle / "runs" / "ann" / "north").glob("*/run.json")
        content = json.loads(run.read_text())
        for facts in content["primitives"].values():
            facts.update(changes)
        run.write_text(json.dumps(content))
        sums = run.with_name("SHA256SUMS")
        lines = [line.split("  ") for line in sums.read_text().splitlines()]
        sums.write_text(
            "".join(f"{hashlib.sha256((run.parent / n).read_bytes()).hexdigest()}  {n}\n" for _, n in lines)
        )

    return change


def denied_associated_data(bundle: Path) -> None:
    """Let an operator say that no system takes associated data, which keeps all of them out of a class."""
    labels = bundle / "runs" / "ann" / "north.labels.json"
    content = json.loads(labels.read_text())
    content["takes_ad"] = dict.fromkeys(content["takes_ad"], False)
    labels.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda bundle: (bundle / "tables" / "extra.md").write_text("stone wins\n"), "no table that the raw runs give"),
        (lambda bundle: (bundle / "submissions" / "late").symlink_to("/tmp"), "is a link"),
        (lambda bundle: (bundle / "published.json").write_text("[" * 50_000), "does not say as of when"),
        (lambda bundle: (bundle / "runs/ann/north.labels.json").write_text('{"labels": {"stone": []}}'), "labels"),
        (declared_otherwise(security_bits="many"), "security_bits: Input should be a valid integer"),
        (declared_otherwise(security_bits=10**9), "security_bits: Input should be less than or equal to"),
        (declared_otherwise(attacks=[{"year": 2020}]), "'attacks.0.who': field required"),
        (declared_otherwise(security_bits=512), "security_bits is not what was frozen"),
        (declared_otherwise(attacks=[ATTACK]), "attacks is not what was frozen"),
        (denied_associated_data, "associated_data is not what was frozen"),
    ],
)
def test_what_is_signed_but_false_is_refused_in_one_line(
    held: tuple[Round, Result], tmp_path: Path, change: Callable[[Path], object], reason: str
) -> None:
    competition, _ = held
    bundle = shutil.copytree(competition.bundle, tmp_path / "bundle")
    change(bundle)
    signed_anew(bundle, competition.key)
    competition("verify", bundle).complains(reason)


def test_a_submission_that_cannot_be_frozen_is_named(held: tuple[Round, Result], tmp_path: Path) -> None:
    competition, _ = held
    folder = example(tmp_path / "linked")
    (folder / "submissions" / "late").symlink_to(folder / "submissions" / "stone")
    competition("freeze", folder, "--key", competition.key).complains("late is a link")
    (folder / "submissions" / "late").unlink()
    declaration = folder / "submissions" / "stone" / "primitive.toml"
    text = declaration.read_text()
    declaration.write_text(text.replace("security_bits = 128", "security_bits = -1"))
    competition("freeze", folder, "--key", competition.key).complains(str(declaration), "'security_bits'")
    declaration.write_text(text)
    (folder / "submissions" / "stone" / "two\nlines").write_text("")
    competition("freeze", folder, "--key", competition.key).complains("two\\nlines", "rename it")


def test_a_later_attack_moves_exactly_the_system_that_it_names(held: tuple[Round, Result]) -> None:
    competition, _ = held
    result = competition.succeeds("verify", competition.bundle, "--attacks", competition.folder / "attacks-later")
    moved = [line for line in result.stdout.splitlines() if line.startswith("an attack on record moves")]
    assert len(moved) == 2
    assert "sensor: brook: rank 1, 256 bits left -> rank 1, 80 bits left" in moved[0]
    assert "gateway: brook: rank 1, 256 bits left -> not ranked (bits: 80 of 100 left)" in moved[1]


def test_a_stranger_repeats_the_conclusions(held: tuple[Round, Result]) -> None:
    competition, _ = held
    runs = competition.base / "own"
    arguments = ("--runs", runs, "--machine", "elsewhere", "--rounds", "2", "--format", "json")
    result = competition.succeeds("repeat", competition.bundle, *arguments)
    found = {each["text"]: each["verdict"] for each in json.loads(result.stdout)["conclusions"]}
    assert found["brook costs less than stone"] == "holds"
    assert [verdict for text, verdict in found.items() if text.startswith("hasty is not ranked")] == ["holds"]


def test_changes_after_the_freeze_are_refused_by_name(held: tuple[Round, Result], tmp_path: Path) -> None:
    competition, _ = held
    folder = shutil.copytree(competition.folder, tmp_path / "changed")
    source = folder / "submissions" / "stone" / "ref" / "gcm.c"
    source.write_text(source.read_text() + "\n")
    run = ("run", folder, "--operator", "ann", "--machine", "north")
    competition(*run).complains("submissions/stone/ref/gcm.c was changed since the freeze", "next round")
    shutil.rmtree(folder / "submissions" / "stone")
    competition("publish", folder, "--key", competition.key, "-o", tmp_path / "b").complains("was removed")
    harness = competition.command.tree / "harness" / "api" / "harness.h"
    text = harness.read_text()
    harness.write_text(text + "\n")
    try:
        competition("run", competition.folder, "--operator", "ann", "--machine", "north").complains(
            "harness/", "freeze"
        )
    finally:
        harness.write_text(text)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (("machines =", "machine ="), ("competition.toml", "unknown key 'machine'", "did you mean 'machines'")),
        (("code_bytes = ", "code_byte = "), ("unknown key 'class.sensor.limits.code_byte'", "code_bytes")),
        (('"crypto_aead"', '"crypto_aed"'), ("unknown operation 'crypto_aed'", "crypto_aead")),
        (("workloads/sensor.toml", "../sensor.toml"), ("class.sensor.workload", "workloads/")),
        (("workloads/sensor.toml", "workloads/sensr.toml"), ("sensr.toml", "no such file")),
        (("closes = 2026-11-01", "closes = 2027-11-01"), ("dates.publishes is before",)),
    ],
)
def test_a_bad_declaration_is_one_line(
    held: tuple[Round, Result], tmp_path: Path, change: tuple[str, str], parts: tuple[str, ...]
) -> None:
    folder = example(tmp_path / "bad")
    file = folder / "competition.toml"
    file.write_text(file.read_text().replace(*change))
    held[0]("check", folder).complains(*parts)


def test_other_bad_input_is_one_line_too(held: tuple[Round, Result], tmp_path: Path) -> None:
    competition, _ = held
    folder = example(tmp_path / "bad")
    competition("check", folder, "stne").complains("unknown submission 'stne'", "stone")
    competition("run", folder, "--operator", "ann", "--machine", "north").complains("frozen.json does not exist")
    frozen = competition.folder
    competition("run", frozen, "--operator", "ann", "--machine", "nord").complains("unknown machine", "north")
    competition("freeze", frozen, "--key", competition.key).complains("this round is frozen")
    competition("freeze", folder, "--key", tmp_path / "no").complains("no")
    (folder / "workloads" / "sensor.toml").write_text('title = "t"\nsource = "s"\n[packets]\nhistogram = { 51 = 0 }\n')
    competition("check", folder).complains("sensor.toml", "has no packets")
    (tmp_path / "attacks").mkdir()
    text = (folder / "attacks-later" / "brook.toml").read_text()
    (tmp_path / "attacks" / "a.toml").write_text(text.replace('"brook"', '"brok"'))
    verify = ("verify", competition.bundle, "--attacks", tmp_path / "attacks")
    competition(*verify).complains("unknown system 'brok'", "brook")
