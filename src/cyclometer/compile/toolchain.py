# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds the compilers that work here: each must first compile a small program that runs correctly."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import replace
from functools import cache as cache_calls
from pathlib import Path

from cyclometer.compile.cache import Cache
from cyclometer.execute import sandbox
from cyclometer.execute.pool import on_all_cores
from cyclometer.execute.seccomp import Policy
from cyclometer.paths import temporary_folder
from cyclometer.records.catalogue import Compiler
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning

# Exercises what measuring relies on: 64-bit arithmetic, vectorised loops, the C library.
_SANITY = """
#include <stdint.h>
#include <stdio.h>
int main(void)
{
    static uint32_t x[1000];
    uint64_t sum = 0;
    for (unsigned i = 0; i < 1000; i++) x[i] = i * 2654435761u;
    for (unsigned i = 0; i < 1000; i++) sum += (uint64_t)x[i] * x[999 - i] >> 7;
    printf("%llu\\n", (unsigned long long)sum);
    return 0;
}
"""


def _expected() -> str:
    x = [i * 2654435761 % 2**32 for i in range(1000)]
    return str(sum(x[i] * x[999 - i] >> 7 for i in range(1000)) % 2**64)


def working(
    compilers: Iterable[Compiler], cache: Cache | None = None, cpu: str = ""
) -> tuple[list[Compiler], list[Failure]]:
    """Return the compilers that work, with their versions, and a Failure for each of the others.

    A success on this `cpu` is cached; a compiler that failed is tried again every time.
    """
    results = on_all_cores(lambda compiler: _try(compiler, cache, cpu), list(compilers))
    return [c for c in results if isinstance(c, Compiler)], [f for f in results if isinstance(f, Failure)]


@cache_calls
def predefined(command: str, target: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the names of the macros that a compiler predefines, which describe its target."""
    text = sandbox.run_confined_tool(
        [command, *target, "-dM", "-E", "-x", "c", "/dev/null"], readable=[], seconds=20
    ).stdout.decode(errors="replace")
    return frozenset(line.split()[1] for line in text.splitlines() if line.startswith("#define "))


def _failure(compiler: Compiler, kind: FailureKind, reason: str, detail: str = "") -> Failure:
    subject = Tuning(operation="", primitive="", compiler=compiler.name)
    return Failure(stage="build", subject=subject, kind=kind, reason=reason, detail=detail)


def _try(compiler: Compiler, cache: Cache | None, cpu: str) -> Compiler | Failure:
    for tool in (compiler.command, *compiler.emulator[:1]):
        if not shutil.which(tool):
            reason = f"{tool} is not installed (Debian: apt install {compiler.debian})"
            return _failure(compiler, FailureKind.NEEDS_TOOL, reason)
    version = sandbox.run_confined_tool([compiler.command, "--version"], readable=[], seconds=20).stdout.decode(
        errors="replace"
    )
    key = Cache.key("sane", _SANITY, shutil.which(compiler.command), version, cpu, repr(compiler))
    if not (cache and cache.has(key, ".sane")):
        if failure := _sanity_failure(compiler):
            return failure
        if cache:
            cache.make(key, ".sane", _empty_file)
    return replace(compiler, version=version.splitlines()[0] if version else compiler.command)


def _empty_file(path: Path) -> str:
    path.touch()
    return ""


def _sanity_failure(compiler: Compiler) -> Failure | None:
    with temporary_folder("sanity") as folder:
        source, program = folder / "sanity.c", folder / "sanity"
        source.write_text(_SANITY)
        build = [compiler.command, *compiler.target, *compiler.flags, "-o", str(program), str(source)]
        built = sandbox.run_confined_tool(build, readable=[], writable=folder, seconds=60)
        if built.problem:
            reason = f"cannot compile a sanity program: {built.problem}"
            return _failure(compiler, FailureKind.TOOL_FAILED, reason, built.last_words())
        ran = sandbox.run(
            [*compiler.emulator, str(program)],
            limits=sandbox.Limits(seconds=20, memory=None, files=16 * sandbox.MEGABYTE if compiler.emulator else 0),
            environment=dict(compiler.environment),
            visible=[Path(folder)],
            policy=Policy.EMULATE if compiler.emulator or compiler.unlimited else Policy.COMPUTE,
            abi=compiler.abi,
        )
    if ran.problem or ran.stdout.decode(errors="replace").strip() != _expected():
        reason = f"miscompiles a sanity program: {ran.problem or 'wrong output'}"
        return _failure(compiler, FailureKind.TOOL_FAILED, reason, ran.last_words())
    return None
