# SPDX-License-Identifier: MIT OR Apache-2.0
"""More than 200 wrong inputs: each gets exit status 2 and one line that names the thing; nothing stored changes."""

from __future__ import annotations

import json
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cyclometer.cli import SIGNALS, main
from cyclometer.signing import make_key
from support.small_tree import SmallTree
from support.synthetic import process, run_info, write_run

INPUTS = [
    line
    for line in Path(__file__).with_name("wrong_inputs.txt").read_text(encoding="utf-8").splitlines()
    if line and line[0] != "#"
]
LIMIT_SECONDS = 20  # a busy machine takes seconds to find its compilers
RUN = "2026-11-21T21-00-00-quick"


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a small tree, a stored run, and files and folders that are not what a command expects."""
    home = tmp_path_factory.mktemp("wrong")
    SmallTree.grow(
        home / "tree", "crypto_stream/salsa20/ref", "crypto_onetimeauth/poly1305/ref", "crypto_aead/aes-128-gcm/ref"
    )
    cycles = {("encrypt", 40): 300.0, ("encrypt", 576): 3000.0}
    processes = [process("salsa20-poly1305", round=number, cycles=cycles) for number in range(3)]
    write_run(home / "results", run_info(), processes)
    (home / "EMPTY").mkdir()
    (home / "FULL").mkdir()
    vectors = {"format": "cyclometer-vectors/1", "operation": "crypto_stream", "system": "salsa20"}
    texts = {
        "FILE": "just text\n",
        "FULL/kept": "",
        "BADJSON": "{",
        "OTHERJSON": "{}",
        "NOVECTORS": json.dumps({**vectors, "vectors": []}),
        "BADVECTOR": json.dumps({**vectors, "vectors": [{"key": "zz"}]}),
        "KAT": "Count = 1\n",
        "BADTOML": "title = \n",
        "FLEET": '[[machine]]\nname = "here"\n',
        "BADTRACE": "one,two\n",
    }
    for name, text in texts.items():
        (home / name).write_text(text, encoding="utf-8")
    make_key(home / "KEY")
    return home


@pytest.fixture
def signals() -> Iterator[None]:
    """Restore what the command line does to signals."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def stored(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_there_are_more_than_two_hundred() -> None:
    assert len(set(INPUTS)) == len(INPUTS) > 200


def _too_long(*_: object) -> None:
    raise TimeoutError(f"the command did something for {LIMIT_SECONDS} s instead of refusing")


@pytest.mark.usefixtures("signals")
@pytest.mark.parametrize("line", INPUTS)
def test_a_wrong_input_gets_one_line(
    line: str, workshop: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    before = stored(workshop / "results")
    monkeypatch.chdir(workshop)
    monkeypatch.setenv("CYCLOMETER_TREE", str(workshop / "tree"))
    monkeypatch.setenv("CYCLOMETER_RESULTS", str(workshop / "results"))
    words = [word.replace("@RUN", RUN).replace("@", "") for word in shlex.split(line)]
    monkeypatch.setattr(sys, "argv", ["cyclometer", *words])
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LIMIT_SECONDS)
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        signal.alarm(0)
    lines = capfd.readouterr().err.splitlines()
    assert ended.value.code == 2, lines
    assert len(lines) == 1, lines
    assert lines[0].startswith("cyclometer: ")
    assert len(lines[0]) > len("cyclometer: ") + 10
    assert "Errno" not in lines[0]
    assert stored(workshop / "results") == before
