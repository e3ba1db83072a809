# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rules for the glue of every provider."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from cyclometer.discover import schema, toml_files
from cyclometer.records.catalogue import Implementation
from support.our_catalogue import our_catalogue
from support.requirements import need
from support.small_tree import REPOSITORY

PROVIDERS = sorted(file.parent for file in (REPOSITORY / "providers").glob("*/provider.toml"))
GLUED = [i for i in our_catalogue().implementations if i.library]


@pytest.mark.parametrize("provided", GLUED, ids=lambda i: i.key)
def test_what_a_provider_declares_has_glue(provided: Implementation) -> None:
    assert all(source.is_file() for source in provided.sources)
    crate = provided.sources[0].parents[1] / "Cargo.toml"
    assert provided.packages or provided.headers or crate.exists(), "nothing declares how to find the library"


@pytest.mark.parametrize("folder", PROVIDERS, ids=lambda folder: folder.name)
def test_glue_is_declared_and_the_package_that_it_needs_is_named(folder: Path) -> None:
    declared = toml_files.read(schema.Provider, folder / "provider.toml")
    glue = {path.name for path in folder.glob("crypto_*") if path.is_dir()}
    assert glue == set(declared.operations)
    assert declared.debian


def test_make_installs_the_package_of_every_library() -> None:
    """Only cargo is left out, which only `make crates` needs."""
    need("make")
    result = subprocess.run(["make", "-n", "packages-run"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    [wanted] = re.findall(r'wanted="([^"]*)"', result.stdout)
    named = [toml_files.read(schema.Provider, folder / "provider.toml").debian for folder in PROVIDERS]
    assert {package for packages in named for package in packages.split()} - {"cargo"} <= set(wanted.split())
    assert "cargo" not in wanted.split()


@pytest.mark.parametrize("folder", PROVIDERS, ids=lambda folder: folder.name)
def test_a_library_is_in_the_documentation(folder: Path) -> None:
    assert f"`{folder.name}`" in (REPOSITORY / "docs/libraries.md").read_text(encoding="utf-8")
