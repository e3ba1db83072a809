# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two runs that measure on one core at the same time notice each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.host import measuring_on
from support.core_sharing import begun, lock_in


@pytest.fixture(autouse=True)
def runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the locks apart from those of real runs."""
    lock_in(tmp_path, monkeypatch)
    return tmp_path


def test_one_that_is_alone_sees_nobody() -> None:
    for _ in range(2):
        with measuring_on(1) as others:
            pass
        assert others == []


def test_both_notice_whoever_began_first() -> None:
    with begun() as other:
        with measuring_on(1) as others:
            pass
        assert others == [other.pid]
        assert len(other.communicate("\n")[0].strip("[]\n").split(",")) == 1
    with measuring_on(1) as others, begun() as other:
        assert other.communicate("\n")[0] != "[]\n"
    assert others == [other.pid]


def test_one_that_was_killed_leaves_nothing_behind() -> None:
    with begun() as other:
        other.kill()
    with measuring_on(1) as others:
        pass
    assert others == []


def test_other_cores_are_others_business() -> None:
    with begun() as other:
        with measuring_on(0) as others:
            pass
        assert others == []
        other.communicate("\n")


def test_a_lock_that_cannot_be_used_is_no_obstacle(runtime_folder: Path) -> None:
    (runtime_folder / "cyclometer-core-1.lock").symlink_to("/etc/passwd")
    with measuring_on(1) as others:
        pass
    assert others == []
    with measuring_on(None) as others:
        pass
    assert others == []
