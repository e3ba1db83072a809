# SPDX-License-Identifier: MIT OR Apache-2.0
"""FLEET.toml: what is wrong with a machine is said in words, before any machine is reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.errors import CyclometerError

pytest.importorskip("distributed", reason="pip install 'cyclometer[fleet]'")

from cyclometer.fleet import read_fleet


def test_the_cores_of_a_machine_are_a_list_with_ranges(tmp_path: Path) -> None:
    file = tmp_path / "FLEET.toml"
    file.write_text('[[machine]]\nname = "desk"\ncores = "0-2,8"\n', encoding="utf-8")
    [machine] = read_fleet(file).machines
    assert machine.cores == (0, 1, 2, 8)


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ('name = "a/b"', "'a/b' cannot name a machine; use at most 64 letters"),
        ('name = "desk"\ncores = "1-x"', "cores '1-x' is not a list of cores; write 0-3 or 0,2"),
        ('name = "desk"\ncores = ""', "cores '' is not a list of cores"),
        ('name = "desk"\ncore = "1"', "unknown key 'core'; did you mean 'cores'?"),
        ('name = "desk"\nreach = "ssh"\nhots = "far"', "unknown key 'hots'; did you mean 'host'?"),
        (
            'name = "pi"\nreach = "emulated"\ntoolchain = "aarch46"',
            "unknown toolchain 'aarch46'; did you mean 'aarch64'?",
        ),
        ('name = "pi"\nreach = "emulated"\ntoolchain = "m32"', "unknown toolchain 'm32' ("),
    ],
)
def test_a_mistake_is_named_with_its_remedy(tmp_path: Path, keys: str, complaint: str) -> None:
    file = tmp_path / "FLEET.toml"
    file.write_text(f"[[machine]]\n{keys}\n", encoding="utf-8")
    with pytest.raises(CyclometerError) as caught:
        read_fleet(file)
    assert complaint in str(caught.value)
    assert str(file) in str(caught.value)
