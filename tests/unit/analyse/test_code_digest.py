# SPDX-License-Identifier: MIT OR Apache-2.0
"""The digest of the analysis: numbers that an older version computed are never used by a newer one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.analyse.estimate import cell_cache
from cyclometer.analyse.estimate.code_digest import code_digest
from cyclometer.store import select_runs
from support.synthetic import process, run_info, write_run

FILES = {
    "__init__.py": "",
    "errors.py": "",
    "records.py": "class Record: ...\n",
    "unused.py": "",
    "analyse/__init__.py": "from cyclometer.store import (\n    connect,\n)\n",
    "analyse/cells.py": "def later() -> None:\n    from cyclometer import records\n",
    "analyse/estimate/sql/cells.sql": "SELECT 1\n",
    "store/__init__.py": "from cyclometer.store.reader import connect\n",
    "store/reader.py": "import cyclometer.errors\n",
    "store/writer.py": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a package with FILES."""
    for name, text in FILES.items():
        path = tmp_path / "cyclometer" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "cyclometer"


def now(root: Path) -> str:
    """Return the digest of the files as they are now."""
    code_digest.cache_clear()
    return code_digest(root)


@pytest.mark.parametrize("name", sorted(set(FILES) - {"__init__.py", "unused.py", "store/writer.py"}))
def test_a_change_of_the_analysis_or_of_what_it_imports_is_seen(name: str, root: Path) -> None:
    before = now(root)
    (root / name).write_text(FILES[name] + "-- changed\n")
    assert now(root) != before


def test_a_new_file_of_the_analysis_is_seen(root: Path) -> None:
    before = now(root)
    (root / "analyse/estimate/medians.py").write_text("")
    assert now(root) != before


@pytest.mark.parametrize("name", ["unused.py", "store/writer.py"])
def test_a_change_of_anything_else_is_ignored(name: str, root: Path) -> None:
    before = now(root)
    (root / name).write_text("changed = True\n")
    assert now(root) == before


def test_it_does_not_depend_on_where_the_package_is(root: Path) -> None:
    before = now(root)
    root.parent.joinpath("elsewhere").mkdir()
    assert now(root.rename(root.parent / "elsewhere/cyclometer")) == before


def test_cached_cells_are_named_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells made by other code are computed again."""
    write_run(tmp_path / "results", run_info(), [process("salsa20-poly1305", cycles={("encrypt", 64): 900})])
    stored = select_runs(tmp_path / "results", everything=True)
    assert cell_cache.open_cells(stored, tmp_path / "cache")
    monkeypatch.setattr(cell_cache, "code_digest", lambda: "other code")
    assert cell_cache.open_cells(stored, tmp_path / "cache")
    assert len([*(tmp_path / "cache/cells").iterdir()]) == 2
