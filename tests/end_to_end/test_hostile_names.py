# SPDX-License-Identifier: MIT OR Apache-2.0
"""Trees of hostile names and files: one bad entry is a failure of its own, and the rest goes on."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cyclometer import untrusted
from cyclometer.errors import RefusedFile
from cyclometer.execute import sandbox
from support.command_line import CommandLine
from support.foreign_tree import GOOD_VERIFY, ForeignTree

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

ESCAPES = "\x1b]0;stolen\x07\x1b[2J\r\u202e[red]:bomb:"


@pytest.fixture(autouse=True)
def _removed(tmp_path: Path) -> Iterator[None]:
    """Remove what was made here: pytest's own clean-up cannot walk 1,500 folders deep."""
    yield
    subprocess.run(["rm", "-rf", str(tmp_path)], check=False)


def deep(folder: Path) -> None:
    """Make folders 1,500 deep, more than a path may name."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def sparse(path: Path) -> None:
    """Make a file of a terabyte that needs no disk."""
    path.unlink(missing_ok=True)
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


def replaced(path: Path, target: str) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


# what is done to crypto_verify/16/bad -> a part of the reason; "" if the implementation may be used nevertheless
BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "source-is-a-fifo": (lambda bad: fifo(bad / "v.c"), "not a regular file"),
    "header-is-a-fifo": (lambda bad: fifo(bad / "api.h"), "not a regular file"),
    "another-header-is-a-fifo": (lambda bad: fifo(bad / "more.h"), "more.h is a pipe, not a regular file"),
    "header-is-a-device": (lambda bad: replaced(bad / "api.h", "/dev/zero"), "leads out of the tree"),
    "header-is-a-secret": (lambda bad: replaced(bad / "api.h", "/proc/self/environ"), "leads out of the tree"),
    "architectures-is-a-secret": (
        lambda bad: replaced(bad / "architectures", "/proc/self/environ"),
        "leads out of the tree",
    ),
    "checksum-is-a-secret": (
        lambda bad: replaced(bad.parent / "checksumsmall", "/proc/self/environ"),
        "leads out of the tree",
    ),
    "source-is-a-link-to-itself": (lambda bad: replaced(bad / "v.c", "v.c"), "symbolic links"),
    "source-is-a-terabyte": (lambda bad: sparse(bad / "v.c"), "larger than"),
    "header-is-a-terabyte": (lambda bad: sparse(bad / "api.h"), "larger than"),
    "folders-1500-deep": (deep, "folders more than"),
    "folder-links-to-itself": (lambda bad: (bad / "again").symlink_to(bad), ""),
    "source-is-not-utf8": (lambda bad: Path(os.fsdecode(bytes(bad) + b"/\xff.c")).touch(), "\\xff.c is not UTF-8"),
    "includes-a-device": (
        lambda bad: (bad / "v.c").write_text('#include "/dev/zero"\n#include "/dev/stdin"\n' + GOOD_VERIFY),
        "",
    ),
    "newlines": (lambda bad: (bad / "n.h").write_text("\n" * 1_000_000 + " " * 100_000), ""),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_a_failure_and_the_rest_is_checked(kind: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "tree")
    tree.write("crypto_verify/32/good/v.c", GOOD_VERIFY)
    (tree.root / "crypto_verify/32/good/api.h").write_text("#define CRYPTO_BYTES 32\n")
    tree.write("crypto_verify/16/bad/v.c", GOOD_VERIFY)
    spoil, reason = BAD[kind]
    (tree.root / "MACROS").touch()
    spoil(tree.root / "crypto_verify/16/bad")
    environment = {"CYCLOMETER_TEST_SECRET": "hunter2"}
    result = cyclometer("check", "--tree", tree.root, "--compiler", "gcc-O2", seconds=240, **environment)
    assert "crypto_verify 32 good" in result.line("ok", "32 good")
    assert "Traceback" not in result.stderr
    assert "hunter2" not in result.stdout + result.stderr
    if reason:
        assert reason in result.line("crypto_verify 16 bad")


@pytest.mark.parametrize(
    "name", [ESCAPES, "new\nline", "\udcff\udcfe", "x" * 250, "a b;c", "-Wall", "...", "'\"<script>"]
)
@pytest.mark.parametrize("level", ["operation", "primitive", "implementation"])
def test_a_bad_name_of_a_folder_is_a_failure(name: str, level: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "tree")
    tree.write("crypto_verify/16/good/v.c", GOOD_VERIFY)
    parts = {"operation": "crypto_verify", "primitive": "16", "implementation": "good", level: name}
    if level == "operation":
        parts[level] = f"crypto_{name}"[:255]
    folder = tree.root / "/".join(parts.values())
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("#define CRYPTO_BYTES 16\n")
    (folder / "v.c").write_text(GOOD_VERIFY)
    for arguments in (("check", "--compiler", "gcc-O2"), ("run", "--list")):
        result = cyclometer(*arguments, "--tree", tree.root)
        assert "Traceback" not in result.stderr
        assert "crypto_verify 16 good" in result.stdout
        output = (result.stdout + result.stderr).replace("\n", "")
        assert output.isprintable(), ascii(output)


def test_messages_of_a_compiler_do_not_control_the_terminal(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "tree")
    tree.write("crypto_verify/16/loud/v.c", f'#error "{ESCAPES}"\n')
    tree.write("crypto_verify/16/good/v.c", GOOD_VERIFY)
    for format in ("terminal", "json"):
        result = cyclometer("check", "-v", "--tree", tree.root, "--compiler", "gcc-O2", "--format", format)
        output = (result.stdout + result.stderr).replace("\n", "")
        assert output.isprintable(), ascii(output)
        assert "[red]:bomb:" in output, "neither markup nor emoji codes are interpreted"


@pytest.mark.parametrize(
    ("name", "words"),
    [("loop", "symbolic links"), ("x" * 5000, "too long"), ("file", "is a file"), ("fifo", "is a file")],
)
def test_an_unusable_folder_is_one_line(name: str, words: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    replaced(tmp_path / "loop", "loop")
    (tmp_path / "file").touch()
    fifo(tmp_path / "fifo")
    for arguments in (("check",), ("run", "--list")):
        cyclometer(*arguments, "--tree", tmp_path / name).complains(words)
    cyclometer("check", tmp_path / name).complains()


def test_too_many_entries_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        (tmp_path / str(number)).mkdir()
    monkeypatch.setattr(untrusted, "MAX_ENTRIES", 20)
    with pytest.raises(RefusedFile, match="more than 20 files and folders; name a part of it"):
        list(untrusted.walk(tmp_path, 3))


def listening(path: Path) -> None:
    """Make a socket; its path may be longer than the 107 bytes that a socket's name has."""
    with socket.socket(socket.AF_UNIX) as server:
        here = os.open(path.parent, os.O_RDONLY)
        server.bind(f"/proc/self/fd/{here}/{path.name}")
        os.close(here)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (fifo, "more.h is a pipe"),
        (listening, "more.h is a socket"),
        (Path.mkdir, "more.h is a folder"),
        (lambda path: replaced(path, "/dev/zero"), "more.h is a device"),
    ],
)
def test_what_a_compiler_must_not_open_is_refused(make: Callable[[Path], object], reason: str, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "x.c").touch()
    replaced(tmp_path / "y.h", "absent")
    untrusted.require_no_special_file(tmp_path, 1)
    make(tmp_path / "below" / "more.h")
    untrusted.require_no_special_file(tmp_path, 0)
    with pytest.raises(RefusedFile, match=f"below/{reason}, not a regular file; remove it"):
        untrusted.require_no_special_file(tmp_path, 1)
