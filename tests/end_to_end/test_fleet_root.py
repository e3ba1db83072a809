# SPDX-License-Identifier: MIT OR Apache-2.0
"""Another system in a folder of this machine, entered with bubblewrap; here the folder is the root itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cyclometer.execute.bubblewrap import why_none
from cyclometer.store import list_runs
from support.command_line import CommandLine

pytest.importorskip("distributed", reason="pip install 'cyclometer[fleet]'")


def fleet(folder: Path, **keys: str | Path) -> Path:
    file = folder / "FLEET.toml"
    lines = [f'{key} = "{value}"' for key, value in {"name": "inside", "reach": "root", **keys}.items()]
    file.write_text("[[machine]]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.skipif(bool(why_none()), reason="bubblewrap makes no namespaces here")
def test_a_system_in_a_folder_measures_with_what_travels_to_it(
    cyclometer: CommandLine, build_cache: Path, tmp_path: Path
) -> None:
    roster = fleet(tmp_path, root="/", python=sys.executable, cache=build_cache)
    result = cyclometer("fleet", "run", roster, "salsa20", "--rounds", "1", "--patience", "0", seconds=900)
    assert result.status == 0, result.stderr
    [run] = list_runs(cyclometer.results)
    assert (run.machine, run.state) == ("inside", "complete")


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"root": "/no/such/folder"}, "its root /no/such/folder is no folder"),
        ({"root": "srv"}, "root"),
        ({"root": "/etc"}, "the system in /etc: "),
    ],
)
def test_what_is_no_system_is_one_line(
    cyclometer: CommandLine, tmp_path: Path, keys: dict[str, str], complaint: str
) -> None:
    result = cyclometer("fleet", "run", fleet(tmp_path, **keys), "salsa20")
    assert result.status == 2
    assert complaint in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
