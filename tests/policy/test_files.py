# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rules for every file that is committed."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cyclometer import paths
from support.small_tree import REPOSITORY

LONGEST_FUNCTION = 60  # lines: it fits a screen

# The licence itself, and formats without comments.
NO_COMMENTS = {"LICENSE", "LICENSE-MIT", "LICENSE-APACHE"}
CORPUS = REPOSITORY / "tests" / "corpus"  # inputs of fuzz tests, byte for byte; README.md there states the licence
OTHERS = REPOSITORY / "src/cyclometer/report/site/assets/uplot"  # another project's files, unchanged, with its LICENSE
NO_COMMENT_SUFFIXES = {".json", ".png", ".svg", ".parquet", ".pdf", ".csv"}

# Spelt in parts so that this file passes, too.
ADDRESSES = ["/".join(("", folder, "")) for folder in ("work", "root")] + [
    ".".join(name) for name in (("pypi", "org"), ("crates", "io"), ("registry", "npmjs"), ("deb", "debian", "org"))
]


def committed_paths() -> list[Path]:
    git = ["git", "-c", f"safe.directory={REPOSITORY}", "-C", str(REPOSITORY)]
    listed = subprocess.run([*git, "ls-files", "-z"], capture_output=True, check=True).stdout
    return [REPOSITORY / name for name in listed.decode().split("\0") if name]


def committed_files() -> list[Path]:
    return [path for path in committed_paths() if path.is_file()]


def test_every_file_states_its_licence() -> None:
    missing = [
        str(path.relative_to(REPOSITORY))
        for path in committed_files()
        if path.name not in NO_COMMENTS
        and not {CORPUS, OTHERS} & {*path.parents}
        and path.suffix not in NO_COMMENT_SUFFIXES
        and b"SPDX-License-Identifier: MIT OR Apache-2.0" not in path.read_bytes()[:400]
    ]
    assert missing == []


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_file_names_a_package_registry_or_a_path_of_this_machine(address: str) -> None:
    naming = [str(path.relative_to(REPOSITORY)) for path in committed_files() if address.encode() in path.read_bytes()]
    assert naming == []


def test_the_wheel_has_the_folders_of_the_tree() -> None:
    """Bundles, competitions and fleets take the same ones along."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    packaged = {folder: to for folder, to in included.items() if to.startswith("cyclometer/_tree/")}
    assert packaged == {folder: f"cyclometer/_tree/{folder}" for folder in paths.TREE}


def test_nothing_that_is_committed_is_a_link() -> None:
    links = [str(path.relative_to(REPOSITORY)) for path in committed_paths() if path.is_symlink()]
    assert links == [], "a link names a place of one machine, and a checkout puts it in the place of what is there"


def python_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Find (name, lines) of every function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno
            yield node.name, node.end_lineno - node.lineno + 1


def c_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Find (first line, lines) of every function whose braces are alone in column 0."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line == "{":
            end = lines.index("}", number)
            begin = max(line_number for line_number in range(number) if re.match(r"\S+.*\(", lines[line_number]))
            yield lines[begin], end - begin + 1


def test_functions_fit_a_screen() -> None:
    functions = {
        f"{path.relative_to(REPOSITORY)}: {name}": lines
        for folder, suffix, find in (
            ("src", "py", python_functions),
            ("tests", "py", python_functions),
            ("harness", "[ch]", c_functions),
            ("operations", "[ch]", c_functions),
        )
        for path in (REPOSITORY / folder).rglob(f"*.{suffix}")
        for name, lines in find(path)
    }
    assert len(functions) > 300, "the functions are found"
    assert {name: lines for name, lines in functions.items() if lines > LONGEST_FUNCTION} == {}


@pytest.mark.parametrize("tool", [("ruff", "check", "--quiet", "."), ("mypy",)], ids=lambda tool: tool[0])
def test_the_linter_and_the_type_checker_pass(tool: tuple[str, ...]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", *tool], cwd=REPOSITORY, capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_c_is_formatted() -> None:
    """Not in primitives, where tables of constants have layouts of their own."""
    tool = shutil.which("clang-format", path=Path(sys.executable).parent)
    if tool is None:
        pytest.skip("clang-format is not installed in this environment")
    folders = {"harness", "operations", "adapters", "providers"}
    sources = [
        path
        for path in committed_files()
        if path.relative_to(REPOSITORY).parts[0] in folders and path.suffix in {".c", ".h", ".cc", ".inc"}
    ]
    assert len(sources) > 300, "the sources are found"
    ended = subprocess.run(
        [tool, "--dry-run", "-Werror", *sources], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
