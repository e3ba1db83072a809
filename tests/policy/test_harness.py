# SPDX-License-Identifier: MIT OR Apache-2.0
"""The harness and the operations are C11 without a warning, under every counter and both compilers."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from cyclometer.paths import runtime_folders
from cyclometer.records.catalogue import Implementation, Primitive
from support.our_catalogue import our_catalogue
from support.requirements import need
from support.small_tree import REPOSITORY

STRICT = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wno-unused-function", "-fsyntax-only"]
COUNTERS = sorted(path.stem for path in (REPOSITORY / "harness/counters").glob("*.h"))
CATALOGUE = our_catalogue()


def complaints(compiler: str, sources: Sequence[Path], options: Sequence[str]) -> str:
    """Return the compiler's messages about the sources."""
    need(compiler)
    folders = [f"-I{folder}" for folder in runtime_folders(REPOSITORY / "harness")]
    command = [compiler, *STRICT, *options, *folders, *map(str, sources)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def api_options(primitive: Primitive, implementation: Implementation) -> list[str]:
    """Return the options for the macros of the primitive's sizes and the folders of its API."""
    operation = CATALOGUE.operations[primitive.operation]
    macros = {operation.size_macros[name]: value for name, value in primitive.sizes.items()}
    macros["ASSOCIATEDDATA"] = int(primitive.associated_data)
    folders = [operation.folder, *implementation.folders, REPOSITORY / "primitives/_shared"]
    defines = [f"-D{operation.name}_{name}={value}" for name, value in macros.items()]
    defines += [f"-D{name}={value}" for name, value in implementation.macros]
    return defines + [f"-I{folder}" for folder in folders]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("counter", COUNTERS)
def test_the_harness_compiles_without_a_warning(compiler: str, counter: str) -> None:
    sources = sorted((REPOSITORY / "harness/runtime").glob("*.c"))
    assert complaints(compiler, sources, [f'-DCOUNTER_HEADER="counters/{counter}.h"']) == ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_harness_of_a_counter_that_is_read_twice_compiles_without_a_warning(compiler: str) -> None:
    sources = sorted((REPOSITORY / "harness/runtime").glob("*.c"))
    assert complaints(compiler, sources, ['-DCOUNTER_HEADER="counters/clock_gettime.h"', "-DREAD_GAP=26"]) == ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_what_measures_placement_compiles_without_a_warning(compiler: str) -> None:
    folders = [REPOSITORY / "harness" / name for name in ("evict", "placement", "trace")]
    sources = [path for folder in folders for path in sorted(folder.glob("*.c"))]
    options = ["-DPLACEMENT", '-DCOUNTER_HEADER="counters/rdtsc.h"', *(f"-I{folder}" for folder in folders)]
    assert complaints(compiler, sources, options) == ""


def test_files_of_the_harness_use_one_another_in_one_direction() -> None:
    """A file is above all whose headers it or its own header includes; no file is above itself."""
    folder = REPOSITORY / "harness/runtime"
    files = {path.stem for path in folder.glob("*.c")}
    below: dict[str, set[str]] = {name: set() for name in files}
    for path in folder.glob("*.[ch]"):
        included = set(re.findall(r'^#include "(\w+)\.h"', path.read_text(encoding="utf-8"), re.MULTILINE))
        below.setdefault(path.stem, set()).update(included & files - {path.stem})
    assert below["samples"] >= {"series", "sample_record", "varying"}
    TopologicalSorter(below).prepare()  # raises CycleError


def _composed_options(primitive: Primitive) -> list[str]:
    """Return the options for a system and its parts: the combiner's folder if it is composed, else its `ref`."""
    options = []
    for key in (primitive.key, *map("/".join, primitive.composed.every_part if primitive.composed else ())):
        one = CATALOGUE.primitives[key]
        if one.composed:
            folders = (one.composed.folder,)
            combiner = Implementation(operation=one.operation, primitive=one.name, name="", sources=(), folders=folders)
            options += api_options(one, combiner)
        else:
            [ref] = [i for i in CATALOGUE.implementations if i.key == f"{key}/ref"]
            options += api_options(one, ref)
    return options


def _made_up(operation: str) -> list[str]:
    """Return the options for an operation without an implementation: invented sizes."""
    macros = CATALOGUE.operations[operation].size_macros.values()
    folders = [REPOSITORY / "operations" / operation, REPOSITORY / "primitives/_shared"]
    return [f"-D{operation}_{macro}=64" for macro in macros] + [f"-I{folder}" for folder in folders]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("operation", sorted(CATALOGUE.operations))
def test_the_checks_and_measures_compile_without_a_warning(compiler: str, operation: str) -> None:
    own = [i for i in CATALOGUE.implementations if i.operation == operation]
    own.sort(key=lambda i: i.name != "ref")
    sources = [REPOSITORY / "operations" / operation / name for name in ("check.c", "measure.c")]
    composed = [p for p in CATALOGUE.primitives.values() if p.operation == operation and p.composed]
    if own:
        options = api_options(CATALOGUE.primitives[f"{operation}/{own[0].primitive}"], own[0])
    else:
        options = _composed_options(composed[0]) if composed else _made_up(operation)
    opaque = REPOSITORY / "operations" / operation / "opaque"
    options = [f"-I{opaque}", '-DCOUNTER_HEADER="counters/clock_gettime.h"', *options]
    declarations = "".join(header.read_text() for header in opaque.glob("*.h"))
    features = set(re.findall(r"#ifdef (\w+)", declarations))
    declared = set(re.findall(r"extern const size_t (\w+);", declarations))
    options = [option for option in options if option.partition("=")[0].removeprefix("-D") not in declared]
    for defined in ([], [f"-D{feature}" for feature in features])[: 1 + len(features)]:
        assert complaints(compiler, sources, [*options, *defined]) == ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_compositions_compile_without_a_warning(compiler: str) -> None:
    checked = set()
    for primitive in CATALOGUE.primitives.values():
        if primitive.composed and primitive.composed.name not in checked:
            checked.add(primitive.composed.name)
            options = _composed_options(primitive)
            assert complaints(compiler, [primitive.composed.folder / "compose.c"], options) == ""
    assert checked


@pytest.mark.parametrize("counter", COUNTERS)
def test_a_counter_is_named_like_its_file(counter: str) -> None:
    text = (REPOSITORY / "harness/counters" / f"{counter}.h").read_text(encoding="utf-8")
    assert re.findall(r'#define COUNTER_NAME "(.*)"', text) == [counter]
    assert set(re.findall(r'#define COUNTER_UNIT "(.*)"', text)) <= {"core cycles", "TSC ticks", "timer ticks", "ns"}


def test_every_call_of_an_operation_is_checked() -> None:
    """check.c redefines each function of the API as a call that is checked for what it leaves behind."""
    headers = [*REPOSITORY.glob("operations/*/crypto_*.h"), *REPOSITORY.glob("adapters/*/operations/*/crypto_*.h")]
    assert headers
    for header in headers:
        functions = re.findall(rf"^\w+ ({header.parent.name}\w*)\(", header.read_text(encoding="utf-8"), re.MULTILINE)
        check = (header.parent / "check.c").read_text(encoding="utf-8")
        missing = [name for name in functions if f"#define {name} checked_call({name})\n" not in check]
        assert missing == [], f"{header.parent}/check.c"
