# SPDX-License-Identifier: MIT OR Apache-2.0
"""The architecture as a table: which room of src/cyclometer may import which (see ARCHITECTURE.md)."""

from __future__ import annotations

import ast
import itertools
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from support.small_tree import REPOSITORY

SOURCE = REPOSITORY / "src" / "cyclometer"

# Every room may also import the loose modules errors, paths, untrusted and kept, which import no room.
ARROWS = {
    "records": "",
    "signing": "",
    "execute": "records",
    "vectors": "records",
    "discover": "records vectors",
    "compile": "records execute",
    "check": "records execute vectors",
    "choose": "records execute",
    "measure": "records execute",
    "store": "records",
    "analyse": "records store",
    "report": "records analyse",
    "host": "records execute",
    "campaign": "records execute host discover compile check choose measure store",
    "workload": "records discover store analyse campaign",
    "protocols": "records execute host discover compile measure store analyse campaign",
    "competition": "records signing execute discover compile store report campaign workload",
    "fleet": "records discover compile store host campaign",
    "publish": "records signing store",
    "submissions": "records signing execute discover store campaign fleet",
    "cli": "records signing execute vectors discover compile check choose measure store analyse report "
    "host campaign workload competition fleet protocols publish submissions",
}
LOOSE = {
    "__init__": "",
    "__main__": "cli",
    "errors": "",
    "paths": "",
    "untrusted": "errors",
    "kept": "errors untrusted",
}

SQL = re.compile(r"\bSELECT\b.*\bFROM\b|\b(INSERT INTO|CREATE (OR REPLACE )?(TEMP )?(TABLE|VIEW))\b", re.DOTALL)
NO_DATABASE = ("report", "cli")


def modules(source: Path) -> Iterator[tuple[str, Path]]:
    """Find each module with its room; the room of a loose module is its own name."""
    for path in sorted(source.rglob("*.py")):
        yield path.relative_to(source).with_suffix("").parts[0], path


def imported(path: Path, source: Path) -> Iterator[str]:
    """Find the full names of everything that a file imports."""
    package = (source.name, *path.relative_to(source).parent.parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            origin = ".".join((*above, *filter(None, [node.module])))
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def forbidden(source: Path) -> list[str]:
    """List the imports that the table does not allow, as "file imports name"."""
    found = []
    for room, path in modules(source):
        allowed = {room, *ARROWS.get(room, LOOSE.get(room, "")).split()}
        allowed |= {"errors", "paths", "untrusted", "kept"} if room in ARROWS else set()
        for name in imported(path, source):
            top, _, rest = name.partition(".")
            if top == "cyclometer" and rest and rest.split(".")[0] not in allowed:
                found.append(f"{path.relative_to(source)} imports {name}")
    return found


def with_database(source: Path) -> list[str]:
    """List the files that contain SQL or import a database in rooms that must not."""
    found = []
    for room, path in modules(source):
        if room in NO_DATABASE:
            text = path.read_text(encoding="utf-8")
            strings = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.JoinedStr | ast.Constant)]
            lines = text.splitlines(keepends=True)
            segments = ["".join(lines[node.lineno - 1 : node.end_lineno]) for node in strings]  # f-strings whole
            database = [name for name in imported(path, source) if name.split(".")[0] == "duckdb"]
            if database or any(map(SQL.search, segments)):
                found.append(str(path.relative_to(source)))
    return found


def undeclared(source: Path, project: Mapping[str, Any]) -> set[str]:
    """Find what is imported but neither part of Python nor a dependency of the package or of a user's extra."""
    extras = [wanted for name, wanted in project["optional-dependencies"].items() if name != "dev"]
    declared = {re.split(r"[><=~!\[;]", wanted)[0] for wanted in itertools.chain(project["dependencies"], *extras)}
    homes = packages_distributions()
    tops = {name.split(".")[0] for _, path in modules(source) for name in imported(path, source)}
    foreign = tops - sys.stdlib_module_names - {source.name}
    return {top for top in foreign if declared.isdisjoint(each.lower() for each in homes.get(top, [top]))}


def test_rooms_import_only_what_the_table_allows() -> None:
    assert forbidden(SOURCE) == []


def test_the_table_has_every_room_and_no_circle() -> None:
    rooms = {room for room, _ in modules(SOURCE)} - LOOSE.keys()
    assert rooms == ARROWS.keys()
    lower: set[str] = set()
    while waiting := ARROWS.keys() - lower:
        ready = {room for room in waiting if lower.issuperset(ARROWS[room].split())}
        assert ready, f"{sorted(waiting)} import each other in a circle"
        lower |= ready


def test_the_table_is_that_of_the_document() -> None:
    text = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \| .+ \| (.+) \|$", text, re.MULTILINE)
    below = {"everything": ARROWS.keys() - {"cli"}, "nothing": set[str]()}
    documented = {room: below.get(may, set(may.split(", "))) for room, may in rows}
    assert documented == {room: set(may.split()) for room, may in ARROWS.items()}


def test_at_most_six_modules_are_loose() -> None:
    assert {path.stem for path in SOURCE.glob("*.py")} <= LOOSE.keys()
    assert len(LOOSE) <= 6


def test_reports_and_the_command_line_have_no_database() -> None:
    assert with_database(SOURCE) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("records/run.py", "from cyclometer.store import connect"),
        ("check/oracle.py", "import cyclometer.compile.builder"),
        ("report/site/load.py", "from cyclometer import store"),
        ("report/site/load.py", "from ...store.reader import connect"),
        ("errors.py", "from cyclometer.records import run"),
        ("analyse/cells.py", "def late():\n    from cyclometer.campaign import campaign"),
    ],
)
def test_a_forbidden_import_is_found(tmp_path: Path, file: str, line: str) -> None:
    made_up(tmp_path, file, line)
    [found] = forbidden(tmp_path / "cyclometer")
    assert found.startswith(f"{file} imports cyclometer.")


def test_an_allowed_import_is_not(tmp_path: Path) -> None:
    made_up(tmp_path, "report/text.py", "from cyclometer import paths\nfrom .formats import csv\nimport duckdb.typing")
    assert forbidden(tmp_path / "cyclometer") == []


@pytest.mark.parametrize(
    "line",
    [
        'query = "SELECT machine FROM samples"',
        'query = f"SELECT {machine} " f"FROM {samples}"',
        'query = """\nSELECT *\nFROM samples\n"""',
        "import duckdb",
        "from duckdb import connect",
    ],
)
def test_a_database_is_found(tmp_path: Path, line: str) -> None:
    made_up(tmp_path, "cli/table.py", line)
    assert with_database(tmp_path / "cyclometer") == ["cli/table.py"]


def test_only_declared_libraries_are_imported(tmp_path: Path) -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert undeclared(SOURCE, project) == set()
    made_up(tmp_path, "store/files.py", "import duckdb\nimport pyarrow.parquet as pq\nfrom numpy import array")
    assert undeclared(tmp_path / "cyclometer", project) == {"pyarrow"}, "only the tests may use it"


def made_up(folder: Path, file: str, content: str) -> None:
    path = folder / "cyclometer" / file
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")


def test_commands_print_through_one_module_that_escapes() -> None:
    printing = re.compile(r"(?<![\w.])print\(|\bConsole\(|typer\.echo\(")
    modules_of_commands = [path for path in (SOURCE / "cli").glob("*.py") if path.name != "_output.py"]
    assert not [path.name for path in modules_of_commands if printing.search(path.read_text(encoding="utf-8"))]
