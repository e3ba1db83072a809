# SPDX-License-Identifier: MIT OR Apache-2.0
"""The job of an implementer: docs/your-code.md is executed as it stands, and what goes wrong is explained."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.cli._skeleton import described_operations
from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind
from support.command_line import CommandLine, Result
from support.our_catalogue import our_catalogue
from support.small_tree import REPOSITORY, SmallTree

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

DOCUMENT = (REPOSITORY / "docs" / "your-code.md").read_text(encoding="utf-8")
STEP = re.compile(r"^    ((?:cyclometer|cp) [^\n]*)$|^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
AS = ("--as", "crypto_hash/sha-256")


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree.grow(tmp_path / "tree", "crypto_hash/sha-256/ref", "crypto_stream/chacha20/ref")


def steps() -> list[tuple[str, str]]:
    """Return the commands and the C sources of the document in order: (command, "") or ("", source)."""
    return [(command, source) for command, source in STEP.findall(DOCUMENT)]


def source() -> str:
    return next(source for _, source in steps() if source)


def test_the_document_does_what_it_says(cyclometer: CommandLine, tmp_path: Path) -> None:
    outputs: list[Result] = []
    for command, code in steps():
        if code:
            (tmp_path / "mysha" / "hash.c").write_text(code, encoding="utf-8")
            continue
        words = shlex.split(command, comments=True)
        if words[0] == "cp":
            subprocess.run(words, cwd=tmp_path, check=True)
            continue
        if "--constant-time" in words and not shutil.which("valgrind"):
            continue
        outputs.append(cyclometer(*words[1:]))
        expected = 1 if "exit status 1" in command else 0
        assert outputs[-1].status == expected, f"{command}:\n{outputs[-1].stdout}{outputs[-1].stderr}"
    new, stub, right = outputs[0], outputs[1], outputs[2]
    assert all(name in new.stdout for name in ("api.h", "hash.c", "README.md", "example-vectors.json"))
    stub.line(
        "WRONG  crypto_hash mysha mysha", "vector SHA256ShortMsg.rsp, Len 0 of vectors.json: hash: answers 'refused'"
    )
    right.line("ok      crypto_hash mysha mysha")
    ran, by_implementation = outputs[-4], outputs[-3]
    assert all(re.search(rf"\b{name} +│", ran.stdout) for name in ("mysha", "sha-256"))
    assert all(re.search(rf"│ {name} ", by_implementation.stdout) for name in ("mysha mysha", "sha-256 ref"))
    for result, first, second in ((outputs[-2], "mysha mysha", "sha-256 ref"), (outputs[-1], "before before", "mysha")):
        result.line(f"A: {first}")
        result.line(f"B: {second}")
    hint = "if mysha computes the same as crypto_hash/sha-256, --as crypto_hash/sha-256 also checks it"
    assert hint in outputs[-2].stderr
    assert "--as" not in outputs[-1].stderr, "two folders: nothing says what they compute"


WRONG = {
    "function": ("hash.c", "int crypto_hash(", "int crypto_hsh(", "define int crypto_hash(unsigned char *out, const"),
    "constant": ("hash.c", "0x428a2f98", "0x428a2f99", "vector SHA256ShortMsg.rsp, Len 0 of vectors.json: hash: hash"),
    "padding": ("hash.c", "rest < 56", "rest < 57", "vector SHA256ShortMsg.rsp, Len 448 of vectors.json: hash: hash"),
}
"""Slips, each with the explanation: file, text, the wrong text, part of the message."""


def test_wrong_code_is_explained(cyclometer: CommandLine, tmp_path: Path) -> None:
    for name, (file, old, new, _) in WRONG.items():
        assert cyclometer("new", "crypto_hash/sha-256", name).status == 0
        (tmp_path / name / "hash.c").write_text(source(), encoding="utf-8")
        text = (tmp_path / name / file).read_text(encoding="utf-8")
        assert old in text
        (tmp_path / name / file).write_text(text.replace(old, new), encoding="utf-8")
    result = cyclometer("check", *(f"./{name}" for name in WRONG), *AS)
    assert result.status == 1
    for name, (*_, explained) in WRONG.items():
        result.line("WRONG", f"crypto_hash {name} {name}", explained)


def test_wrong_macros_are_named_without_blaming_our_check(cyclometer: CommandLine, tmp_path: Path) -> None:
    assert cyclometer("new", "crypto_hash", "mysha").status == 0
    api = tmp_path / "mysha" / "api.h"
    api.write_text(api.read_text(encoding="utf-8").replace("CRYPTO_BYTES", "CRYPTO_BYTE"), encoding="utf-8")
    result = cyclometer("check", "./mysha")
    result.line("api.h does not define CRYPTO_BYTES; it must define CRYPTO_BYTES")
    cyclometer("check", "./mysha", *AS).complains("does not define CRYPTO_BYTES (it defines CRYPTO_BYTE)")
    api.write_text(api.read_text(encoding="utf-8").replace("CRYPTO_BYTE 32", "CRYPTO_BYTES 31"), encoding="utf-8")
    cyclometer("check", "./mysha", *AS).complains("CRYPTO_BYTES as 31, but crypto_hash/sha-256 has 32")


@pytest.mark.parametrize("size", ["-32", "1000000000000000000"])
def test_a_size_that_is_none_is_named(size: str, cyclometer: CommandLine, tmp_path: Path) -> None:
    assert cyclometer("new", "crypto_hash", "mysha").status == 0
    (tmp_path / "mysha" / "api.h").write_text(f"#define CRYPTO_BYTES {size}\n", encoding="utf-8")
    result = cyclometer("check", "./mysha")
    result.line("WRONG", f"api.h defines CRYPTO_BYTES as {size}; it must be from 0 to")


def test_vectors_in_the_folder_are_checked(cyclometer: CommandLine, tmp_path: Path) -> None:
    assert cyclometer("new", "crypto_hash/sha-256", "mysha").status == 0
    folder = tmp_path / "mysha"
    (folder / "hash.c").write_text(source(), encoding="utf-8")
    (folder / "example-vectors.json").rename(folder / "vectors.json")
    result = cyclometer("check", "./mysha")
    result.line("ok ", "mysha")
    assert "no published result" not in result.stdout
    text = (folder / "vectors.json").read_text(encoding="utf-8")
    (folder / "vectors.json").write_text(re.sub(r'("hash": ")..', r"\g<1>00", text), encoding="utf-8")
    cyclometer("check", "./mysha").line("WRONG", "of vectors.json: hash: hash differs at byte 0")


def test_a_folder_is_never_overwritten(cyclometer: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "precious.c").write_text("int precious;\n", encoding="utf-8")
    cyclometer("new", "crypto_hash", "mine").complains("mine is not empty", "name a new folder")
    cyclometer("new", "crypto_hash", "mine/precious.c").complains("is a file; name a folder")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["precious.c"]


def test_slips_are_answered_with_what_was_meant(cyclometer: CommandLine, tmp_path: Path) -> None:
    cyclometer("new", "crypto_hsh", "x").complains("unknown operation 'crypto_hsh'; did you mean 'crypto_hash'?")
    cyclometer("new", "crypto_hash/sha-25", "x").complains("did you mean 'crypto_hash/sha-256'?")
    (tmp_path / "mysha").mkdir()
    cyclometer("run", "mysha").complains("mysha is no system, but a folder; write ./mysha for its code")
    cyclometer("run", "./yoursha").complains("yoursha: no such folder")
    cyclometer("check", "sha-256", *AS).complains("says what a folder computes; name a folder")
    cyclometer("check", "./mysha").complains("mysha is not a tree of a known kind", "`cyclometer new` writes")
    native = tmp_path / "ours" / "sha-256" / "mine"
    native.mkdir(parents=True)
    (native / "hash.c").touch()
    cyclometer("check", "./ours").complains("it contains sha-256/mine/hash.c but no api.h")
    (native / "implementation.toml").touch()
    cyclometer("check", "./ours").complains(
        "sha-256/mine/implementation.toml is of Cyclometer's own layout", "primitives/"
    )
    (tmp_path / "hash.c").touch()
    cyclometer("check", "./hash.c").complains("./hash.c is a file; name the folder that contains it")


def test_a_system_is_named_without_its_operation_where_that_leaves_no_choice(
    cyclometer: CommandLine, tmp_path: Path
) -> None:
    assert "--as crypto_hash/sha-256" in cyclometer("new", "sha-256", "mine").stdout


def test_sources_in_other_folders_and_in_cplusplus_are_explained(cyclometer: CommandLine, tmp_path: Path) -> None:
    for name in ("below", "plusplus"):
        assert cyclometer("new", "crypto_hash/sha-256", name).status == 0
        (tmp_path / name / "hash.c").write_text(source(), encoding="utf-8")
    (tmp_path / "plusplus/hash.c").rename(tmp_path / "plusplus/hash.cc")
    assert cyclometer("check", "./plusplus", *AS, "--compiler", "gcc-O2").line("ok ", "plusplus")
    (tmp_path / "plusplus/api.h").write_text("#define CRYPTO_BYTES 32\n", encoding="utf-8")
    (tmp_path / "below/src").mkdir()
    (tmp_path / "below/hash.c").rename(tmp_path / "below/src/hash.c")
    result = cyclometer("check", "./below", "./plusplus", *AS, "--compiler", "gcc-O2")
    result.line("without", "below: has no source file (.c, .cc, .cpp, .S) beside its api.h, where those in src/ belong")
    result.line("WRONG", "plusplus", 'define as extern "C" (beside hash.cc, all sources are C++) int crypto_hash(')


def test_the_systems_of_a_folder_are_listed(cyclometer: CommandLine, tmp_path: Path) -> None:
    assert cyclometer("new", "crypto_hash", "mine/my-hash/ref").status == 0
    assert cyclometer("run", "./mine", "--list").line("crypto_hash my-hash ref")


def test_a_comparison_has_two_sides(cyclometer: CommandLine) -> None:
    cyclometer("compare", "./a", "./b", "./c").complains("no such folder")
    cyclometer("compare", "sha-256:ref", "sha-256:openssl", "sha-512:ref").complains("two sides, but 3 are named")


MODELS = {"crypto_stream": "crypto_stream/chacha20", "crypto_onetimeauth": "crypto_onetimeauth/poly1305"}
"""Operations whose functions in folders expand the key in each call, as ours do not."""


@pytest.mark.parametrize("model", MODELS.values())
def test_code_that_expands_the_key_in_each_call_is_checked_but_not_measured_beside_ours(
    model: str, cyclometer: CommandLine
) -> None:
    cyclometer = replace(cyclometer, tree=REPOSITORY)
    assert cyclometer("new", model, "mine").status == 0
    checked = cyclometer("check", "./mine", "--as", model, "--compiler", "gcc-O2")
    checked.line("WRONG", "mine mine", "of vectors.json")  # the model's
    for command in (("compare", "./mine", model), ("run", "./mine", "--as", model)):
        cyclometer(*command).complains("has another API", "`cyclometer run` measures it alone")


def test_a_stub_of_every_operation_compiles_and_says_what_fails(cyclometer: CommandLine, tmp_path: Path) -> None:
    cyclometer = replace(cyclometer, tree=REPOSITORY)
    operations = described_operations(our_catalogue())
    assert len(operations) > 15
    for operation in operations:
        assert cyclometer("new", operation, operation.removeprefix("crypto_")).status == 0
    folders = [f"./{operation.removeprefix('crypto_')}" for operation in operations]
    result = cyclometer("check", *folders, "--compiler", "gcc-O2", "--format", "json")
    assert result.status == 1
    assert result.right() == set()
    kinds = result.kinds()
    assert set(kinds) == {folder.removeprefix("./") for folder in folders}
    built = {FailureKind.CALL_FAILED, FailureKind.VALID_REJECTED, FailureKind.ABORTED, FailureKind.WRONG_OUTPUT}
    assert {name: kind for name, kind in kinds.items() if kind not in built} == {}


def test_a_folder_cannot_be_beside_what_a_tree_replaces(cyclometer: CommandLine) -> None:
    assert cyclometer("new", "crypto_hash/sha-256", "mine").status == 0
    cyclometer("check", "./mine", *AS, "--tree", "mine").complains("--tree", "name one of the two")


def test_code_with_nothing_to_compare_must_pass_every_property_test(cyclometer: CommandLine, tmp_path: Path) -> None:
    """A function that always returns the same is no hash, whatever it is called."""
    assert cyclometer("new", "crypto_hash", "mine").status == 0
    stub = tmp_path / "mine" / "hash.c"
    stub.write_text(stub.read_text().replace("return -1;", "for (int i = 0; i < 32; i++) out[i] = 7; return 0;"))
    cyclometer("check", "./mine").line("WRONG", "returns the same hash")
