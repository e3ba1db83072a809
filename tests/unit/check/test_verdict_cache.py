# SPDX-License-Identifier: MIT OR Apache-2.0
"""A verdict holds for an executable and the published answers that it was compared with."""

from __future__ import annotations

from pathlib import Path

from cyclometer.check.cache import VerdictCache
from support.fakes import executable


def test_a_verdict_holds_for_the_same_files_of_answers_only(tmp_path: Path) -> None:
    cache, tested = VerdictCache(tmp_path, "this CPU"), executable("ref")
    whole, empty, part, rest = (tmp_path / name for name in ("whole", "empty", "part", "rest"))
    for path, text in ((whole, "ab"), (empty, ""), (part, "a"), (rest, "b")):
        path.write_text(text)
    cache.put(tested, [], "none")
    cache.put(tested, [whole], "whole")
    assert cache.get(tested, []) == "none"
    assert cache.get(tested, [whole]) == "whole"
    assert cache.get(tested, [empty]) == ""
    assert cache.get(tested, [part, rest]) == ""
