# SPDX-License-Identifier: MIT OR Apache-2.0
"""A number with a meaning has one home in Python, and the harness agrees with it."""

from __future__ import annotations

import re

import pytest

from cyclometer.records import run
from support.small_tree import REPOSITORY


@pytest.mark.parametrize("name", ["DISTURBED_ABOVE", "OTHER_DISTURBANCE"])
def test_the_harness_has_the_same_value(name: str) -> None:
    header = (REPOSITORY / "harness/runtime/noise.h").read_text(encoding="utf-8")
    [value] = re.findall(rf"^#define {name} (\S+)$", header, re.MULTILINE)
    assert float(value) == getattr(run, name)


@pytest.mark.parametrize("number", ["1.04", "20061121", "= 576"])
def test_a_number_is_written_once(number: str) -> None:
    text = re.compile(rf"(?<![\w.]){re.escape(number)}(?![\w.])")
    code = [
        re.sub(r"#.*", "", line)
        for path in (REPOSITORY / "src/cyclometer").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len([line for line in code if text.search(line)]) == 1
