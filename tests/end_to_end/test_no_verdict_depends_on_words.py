# SPDX-License-Identifier: MIT OR Apache-2.0
"""Verdicts and exit status depend on kinds of failure: they stay the same when every message changes."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine, Result
from support.faulty_implementations import FAULTY_AEADS, FAULTY_STREAMS, FaultyImplementation
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.small_tree import REPOSITORY, SmallTree

OTHER_WORDS = "xxx"
MESSAGE = re.compile(r'((?:harness_fail\(\w+|\{SIG\w+, \w+),\s+|harness_case\()"(?:[^"\\]|\\.)*"')
SLOW = ("loops-for-ever", "sleeps", "prints-megabytes")

# Python: the reason of every failure and of every process that ended badly.
WORDS = {
    "records/failure.py": ("    severity: Severity = Severity.ERROR\n", "reason"),
    "execute/sandbox.py": ("    kind: FailureKind | None = None\n", "problem"),
}
FORGET = """
    def __post_init__(self) -> None:
        object.__setattr__(self, "{0}", self.{0} and "{1}")
"""

# Implementations of a foreign tree, for each verdict and for a warning.
READS_BEYOND = "volatile unsigned char more = x[crypto_verify_BYTES]; (void)more;"
NO_INSTRUCTION = '__asm__ volatile("%s");' % (".byte 0x0f, 0xff" if platform.machine() == "x86_64" else ".word 0")
VERIFY = {
    "good": GOOD_VERIFY,
    "wrong": GOOD_VERIFY.replace("0;", "1;", 1),
    "warned": GOOD_VERIFY.replace("unsigned difference", f"{READS_BEYOND} unsigned difference"),
    "traps": GOOD_VERIFY.replace("unsigned difference", "__builtin_trap(); unsigned difference"),
    "lacks-an-instruction": GOOD_VERIFY.replace("unsigned difference", f"{NO_INSTRUCTION} unsigned difference"),
    "lacks-a-header": '#include "crypto_hash_sha256.h"\n' + GOOD_VERIFY,
}


def other_words(tree: SmallTree, sources: Path) -> None:
    """Replace every message of the harness and the operations in the tree, and of the package in a copy."""
    replaced = 0
    for folder in ("harness", "operations", "adapters"):
        for file in (tree / folder).rglob("*.[ch]"):
            text, number = MESSAGE.subn(rf'\1"{OTHER_WORDS}"', file.read_text(encoding="utf-8"))
            file.write_text(text, encoding="utf-8")
            replaced += number
    assert replaced > 300, "the messages are found"
    shutil.copytree(REPOSITORY / "src", sources)
    for name, (last_field, words) in WORDS.items():
        path = sources / "cyclometer" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(last_field) == 1
        path.write_text(text.replace(last_field, last_field + FORGET.format(words, OTHER_WORDS)), encoding="utf-8")


def verdicts(result: Result) -> tuple[int, set[str], list[tuple[str, str, str, str]]]:
    """Return the exit status, the right implementations, and each failure without its words."""
    failures = json.loads(result.stdout)["failures"]
    found = [(f["subject"]["implementation"], f["verdict"], f["kind"], f["severity"]) for f in failures]
    return result.status, result.right(), sorted(found)


@pytest.fixture
def reworded(tree: SmallTree, cyclometer: CommandLine, tmp_path: Path) -> CommandLine:
    """Return the command for a copy of the tree, which the test makes when the original is complete."""
    copy = SmallTree(tmp_path / "reworded" / "tree")
    path = f"{copy.root.parent / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    return replace(cyclometer, tree=copy.root, environment={"PYTHONPATH": path})


def test_verdicts_on_this_tree(tree: SmallTree, cyclometer: CommandLine, reworded: CommandLine) -> None:
    (tree / "primitives/crypto_aead/aes-128-gcm/vectors-wycheproof.json").unlink()
    for faulty in (*FAULTY_STREAMS, *FAULTY_AEADS):
        if faulty.name not in SLOW:
            faulty.add_to(tree)
    tree.write("toolchains/features/x86.toml", 'warp = { cpuinfo = "warp_drive", flags = ["-mwarp"] }\n')
    FaultyImplementation(name="warped").add_to(tree)
    tree.write("primitives/crypto_stream/salsa20/warped/implementation.toml", 'needs = ["warp"]\n')
    shutil.copytree(tree.root, reworded.tree)
    other_words(SmallTree(reworded.tree), reworded.tree.parent / "src")
    for systems in (["salsa20", "aes-128-gcm"], ["salsa20", "--implementation", "warped", "--implementation", "ref"]):
        command = ["check", *systems, "--time-limit", "20", "--format", "json"]
        expected, seen = cyclometer(*command), reworded(*command)
        assert verdicts(seen) == verdicts(expected)
        assert {failure["reason"] for failure in json.loads(seen.stdout)["failures"]} == {OTHER_WORDS}
        assert expected.status == ("--implementation" not in systems)


@pytest.mark.skipif(not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces")
def test_verdicts_on_a_foreign_tree(
    cyclometer: CommandLine, reworded: CommandLine, tree: SmallTree, tmp_path: Path
) -> None:
    foreign = ForeignTree(tmp_path / "foreign")
    for name, text in VERIFY.items():
        foreign.write(f"crypto_verify/16/{name}/v.c", text)
    shutil.copytree(tree.root, reworded.tree)
    other_words(SmallTree(reworded.tree), reworded.tree.parent / "src")
    command = ["check", "--tree", str(foreign.root), "--compiler", "gcc-O2", "--format", "json"]
    expected = cyclometer(*command)
    assert verdicts(reworded(*command)) == verdicts(expected)
    assert expected.kinds("warning") == {"warned": "out_of_bounds"}
    assert expected.kinds("without").keys() == {"lacks-a-header", "lacks-an-instruction"}
    assert expected.kinds().keys() == {"wrong", "traps"}
