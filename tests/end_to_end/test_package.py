# SPDX-License-Identifier: MIT OR Apache-2.0
"""The wheel, installed into a fresh environment as pipx does it: commands, documents, licences, without plots."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
from email.parser import Parser
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from cyclometer.cli import application
from support.small_tree import REPOSITORY

pytestmark = pytest.mark.xdist_group("package")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and install it into a new environment.

    What it depends on comes from the environment of the tests, except what only an extra or the tests need.
    """
    folder = tmp_path_factory.mktemp("package")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )
    [wheel] = folder.glob("*.whl")
    home = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = ["--python", str(home / "bin/python")]
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *python, *install], check=True)
    site = next(home.glob("lib/python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    for absent in ("matplotlib", "pyarrow"):  # each stands before the real one, as if it were not installed
        (site / absent).mkdir()
        (site / absent / "__init__.py").write_text(f"raise ModuleNotFoundError(name={absent!r})\n", encoding="utf-8")
    return home


def call(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    unset = ("CYCLOMETER_TREE", "PYTHONPATH", "CYCLOMETER_RESULTS")
    variables = {name: value for name, value in os.environ.items() if name not in unset}
    return subprocess.run(
        [str(home / "bin/cyclometer"), *arguments],
        env=variables,
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_has_its_tree_with_it(installed: Path) -> None:
    listed = call(installed, "run", "--list")
    assert listed.returncode == 0, listed.stderr
    assert "aes-128-gcm" in listed.stdout
    checked = call(installed, "check", "crypto_verify", "--implementation", "ref")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_without_matplotlib_only_plots_are_missing_and_the_remedy_is_named(installed: Path) -> None:
    plot = call(installed, "plot", "overlay", "--results", "none")
    assert plot.returncode == 2
    assert plot.stderr.splitlines() == ["cyclometer: plots need matplotlib: pip install 'cyclometer[plots]'"]
    assert call(installed, "plot", "--help").returncode == 0


def test_documents_man_page_and_licences_are_installed(installed: Path) -> None:
    share = installed / "share"
    assert (share / "doc/cyclometer/docs/index.md").exists()
    assert (share / "doc/cyclometer/README.md").exists()
    page = (share / "man/man1/cyclometer.1").read_text(encoding="utf-8")
    assert page.startswith('.\\" SPDX')
    licences = next(installed.glob("lib/python*/site-packages/cyclometer-*.dist-info/licenses"))
    assert {path.name for path in licences.iterdir()} == {"LICENSE", "LICENSE-MIT", "LICENSE-APACHE"}
    assert "Apache License" in (licences / "LICENSE-APACHE").read_text(encoding="utf-8")
    assert "MIT License" in (licences / "LICENSE-MIT").read_text(encoding="utf-8")


def test_the_metadata_is_complete(installed: Path) -> None:
    text = next(installed.glob("lib/python*/site-packages/cyclometer-*.dist-info/METADATA")).read_text(encoding="utf-8")
    fields = Parser().parsestr(text)
    assert fields["License-Expression"] == "MIT OR Apache-2.0"
    assert fields["Author"]
    assert {url.partition(",")[0] for url in fields.get_all("Project-URL", [])} >= {"Homepage", "Source", "Changelog"}
    assert len(fields.get_all("Classifier", [])) >= 8
    assert "plots" in fields.get_all("Provides-Extra", [])
    assert not any(line.startswith("matplotlib") for line in fields.get_all("Requires-Dist", []) if "extra" not in line)


def test_the_man_page_has_every_subcommand() -> None:
    page = (REPOSITORY / "packaging/cyclometer.1").read_text(encoding="utf-8")
    missing = [name for name in get_command(application()).commands if f".SS cyclometer {name} " not in page]  # type: ignore[attr-defined]
    assert missing == [], "renew it by make man"


def test_the_citation_names_the_version_of_the_package() -> None:
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()  # what CFF 1.2.0 requires
    assert citation["version"] == project["version"]
    assert f"## {project['version']}" in (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
