# SPDX-License-Identifier: MIT OR Apache-2.0
"""Four people do their jobs with the commands of README.md, as they are printed there.

The tree is a small one, and its full profile has fewer lengths, so that this takes a minute.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine, Result
from support.foreign_tree import ForeignTree
from support.small_tree import REPOSITORY, SmallTree

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
JOBS = re.findall(r"^\*\*… (.+?)\*\*(.*?)(?=^\*\*…|^\[All commands\]|\Z)", README, re.MULTILINE | re.DOTALL)
OWN_HASH = re.search(
    r"^```c\n(.*?)^```$", (REPOSITORY / "docs/your-code.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)

Do = Callable[..., dict[str, Result]]


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    """Grow a tree of what the README names, without the vectors that take long."""
    parts = ("aes-128-gcm/portable", "aegis-128l/ref", "chacha20-poly1305/ref")
    tree = SmallTree.grow(tmp_path / "tree", *(f"crypto_aead/{part}" for part in parts), "crypto_hash/sha-256/ref")
    tree.copy("workloads")
    for file in (tree / "primitives/crypto_hash/sha-256/ref").iterdir():  # in place of the library
        tree.write(f"primitives/crypto_hash/sha-256/openssl/{file.name}", file.read_text(encoding="utf-8"))
    for file in (tree / "primitives").glob("*/*/vectors-*.json"):
        file.unlink()
    operation = tree / "operations/crypto_aead/operation.toml"
    declared = operation.read_text(encoding="utf-8").replace("length=0-8192 ", "length=0-8192/1024 ")
    operation.write_text(re.sub(r"rounds = \d+", "rounds = 2", declared), encoding="utf-8")
    return tree


@pytest.fixture
def do(cyclometer: CommandLine, tmp_path: Path) -> Do:
    """Return a function that does a job: its commands in order, with `meanwhile` called after the first."""

    def job(number: int, meanwhile: Callable[[], object] = lambda: None, **words: str) -> dict[str, Result]:
        done: dict[str, Result] = {}
        for command in commands(number):
            typed = [words.get(word, word) for word in shlex.split(command, comments=True)]
            result = done[shlex.join(typed)] = replace(cyclometer, environment={"COLUMNS": "200"})(*typed[1:])
            expected = {0, 1} if "--fail-above" in typed else {0}
            assert result.status in expected, f"{command}:\n{result.stdout}{result.stderr}"
            if len(done) == 1:
                meanwhile()
        return done

    return job


def commands(number: int) -> Sequence[str]:
    """Return the commands that the README prints for a job; the placement profile has tests of its own."""
    printed = re.findall(r"^    (cyclometer .+)$", JOBS[number][1], re.MULTILINE)
    return [command for command in printed if "--profile placement" not in command]


def test_the_readme_has_four_jobs() -> None:
    assert len(JOBS) == 4
    assert all(len(commands(number)) >= 3 for number in range(4))


def test_the_implementer(do: Do, tmp_path: Path) -> None:
    assert OWN_HASH

    def write() -> None:
        (tmp_path / "mysha" / "hash.c").write_text(OWN_HASH[1], encoding="utf-8")

    _, checked, secrets, compared = do(0, write).values()
    checked.line("ok ", "crypto_hash mysha mysha")
    secrets.line("constant", "mysha")
    compared.line("A: mysha mysha")
    compared.line("B: sha-256 openssl")
    assert re.search(r"^hash: .*(faster|no difference seen)", compared.stdout, re.MULTILINE)


def test_the_protocol_engineer(do: Do) -> None:
    run, keys, between, compared, ranked = do(1).values()
    assert "≈" in between.stdout
    assert "Cycles to encrypt a packet, by its length in bytes" in " ".join(run.stdout.split())
    assert "Cycles to encrypt a 64-byte packet, by the number of active keys" in " ".join(keys.stdout.split())
    assert "10000" in keys.stdout
    assert re.search(r"^encrypt: .* × faster", compared.stdout, re.MULTILINE)
    assert all(re.search(rf"│ {name} ", ranked.stdout) for name in ("aes-128-gcm", "chacha20-poly1305"))


def test_the_maintainer(do: Do, tmp_path: Path) -> None:
    """The library has a slower change: it hashes everything twice."""
    assert OWN_HASH
    here = ForeignTree(tmp_path)
    slower = OWN_HASH[1].replace("block(h, in + i);", "{ uint32_t g[8] = {0}; block(h, in + i); block(g, in + i); }")
    library = "library/crypto_hash/sha256/ref"
    for folder, code in (("old/src/sha256", OWN_HASH[1]), ("src/sha256", slower), (library, slower)):
        here.write(f"{folder}/api.h", "#define CRYPTO_BYTES 32\n")
        here.write(f"{folder}/hash.c", code)

    gate, _, _, compared = do(2, DIR=str(here.root / "library")).values()
    assert gate.status == 1, gate.stdout
    gate.line("A: sha256")
    assert compared.status in {0, 1}


def test_the_lab(do: Do, tmp_path: Path) -> None:
    do(3)
    assert "aes-128-gcm" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    lines = (tmp_path / "data.txt").read_text(encoding="utf-8").splitlines()
    assert any("crypto_aead aes-128-gcm" in line and "encrypt_cycles" in line for line in lines)
