# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles foreign implementations in the sandbox, each to one object in which only the API is visible."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from cyclometer.compile import vendored
from cyclometer.compile.build_tool import LIBRARY, BuildError, TimeBudgets, run_build_tool, take, without_folders
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.foreign_headers import (
    ForeignHeaders,
    Renamed,
    beside,
    includable,
    put_headers,
    readable_folders,
)
from cyclometer.compile.sources import Includes
from cyclometer.records.catalogue import Compiler, Foreign, Implementation
from cyclometer.records.failure import FailureKind

CPLUSPLUS = (".cc", ".cpp")
NOT_PREPROCESSED = ".s"
DEFINES_NONE = "defines none of the functions of its operation"
_GLUE = "glue.c"


class ForeignCode:
    """Compiles foreign implementations; `cpu` names the CPU."""

    def __init__(self, cache: Cache, cpu: str, includes: Includes, budgets: TimeBudgets) -> None:
        self.cache, self.cpu, self.includes, self.budgets = cache, cpu, includes, budgets
        self.headers = ForeignHeaders(cache, cpu, includes)

    def libraries(self, foreign: Foreign, compiler: Compiler) -> list[Path] | ToolFailure:
        """Build the vendored libraries that the implementation needs; one compiler builds them for all."""
        archives = []
        for library in (library for library in foreign.vendored if library.asked):
            with self.budgets.spending(f"library {library.name}", LIBRARY):
                archive = vendored.build(self.cache, library, foreign.tree, compiler, self.cpu)
            if isinstance(archive, ToolFailure):
                return ToolFailure(f"{library.name}: {archive.message}")
            archives.append(archive)
        return archives

    def object(
        self,
        implementation: Implementation,
        compiler: Compiler,
        flags: Sequence[str],
        exported_headers: Iterable[tuple[str, str]],
        libraries: Sequence[Path],
    ) -> Path | ToolFailure:
        """Compile the implementation to one relocatable object in which only the symbols of its API are global.

        `exported_headers` are those of its dependencies, `libraries` what the method of that name returns.
        """
        foreign = implementation.foreign
        assert foreign
        headers = sorted({*foreign.headers, *exported_headers})
        files = dict.fromkeys((*implementation.sources, *includable(foreign)))
        parts = [self.includes.closure(path, foreign.folders) for path in files]
        symbols = sorted({symbol for _, symbol in foreign.names})
        renamed = self.headers.renamed(foreign, compiler, exported_headers, libraries)
        key = Cache.key(
            "foreign", compiler.command, compiler.version, self.cpu, flags, foreign.defines, headers, parts, symbols,
            *(library.stem for library in libraries), *foreign.overridden, *_renaming(implementation), *renamed.parts,
        )  # fmt: skip

        def builder(out: Path) -> str:
            with self.cache.scratch() as scratch:
                put_headers(scratch, headers)
                script = _script(implementation, compiler, flags, symbols, libraries, renamed)
                if renamed.glue:
                    (scratch / _GLUE).write_text(renamed.glue, encoding="utf-8")
                (scratch / "compile.sh").write_text(script, encoding="utf-8", errors="surrogateescape")
                readable = [*readable_folders(foreign, compiler), *libraries]
                outcome = run_build_tool(["sh", "compile.sh"], readable=readable, writable=scratch)
                if outcome.problem:
                    own = (foreign.home, *foreign.folders, foreign.tree)
                    return without_folders(outcome.first_error() or outcome.problem, own)
                return take(scratch / "all.o", out)

        return self.cache.make(key, ".o", builder)


def _script(
    implementation: Implementation,
    compiler: Compiler,
    flags: Sequence[str],
    symbols: Sequence[str],
    libraries: Sequence[Path],
    renamed: Renamed,
) -> str:
    foreign = implementation.foreign
    assert foreign
    cplusplus = any(source.suffix in CPLUSPLUS for source in implementation.sources)
    tool = compiler.cxx if cplusplus else compiler.command
    home, sources, copying = _home(foreign, implementation.sources)
    options = [*flags, *(f"-D{define}" for define in foreign.defines), f"-I{home}", "-Iheaders"]
    options += [f"-I{folder}" for folder in foreign.folders]
    unpack, include, archives = vendored.unpacking(libraries)
    options += include
    lines = ["set -e", *copying, *unpack]
    objects = []
    for number, source in enumerate(sources):
        objects.append(f"{number}.o")
        lines.append(shlex.join([tool, *options, "-c", "-o", objects[-1], str(source)]))
        if source.suffix == NOT_PREPROCESSED and (renaming := _renaming(implementation)):
            lines.append(shlex.join(["objcopy", *renaming, objects[-1]]))
    if renamed.glue:
        objects.append("glue.o")
        own = beside(foreign.renaming)
        lines.append(shlex.join([compiler.command, *own, *options, "-c", "-o", objects[-1], _GLUE]))
    # Through an archive, as in these trees, where an unused file may define the same symbol as a used one. Of two
    # definitions of the API the first file's is linked; check and measurement have the same object, so nothing hides.
    lines.append(shlex.join(["ar", "rcs", "all.a", *objects]))
    lines.append("nm -g --defined-only all.a > names 2>/dev/null")
    lines.append(f"set --; for name in {shlex.join([*symbols, *renamed.symbols])}; do")
    lines.append('  if grep -q " $name\\$" names; then set -- "$@" -u "$name"; fi')
    lines.append(f'done; [ $# -gt 0 ] || {{ echo "{DEFINES_NONE}" >&2; exit 1; }}')
    lines.append(f'ld -r --force-group-allocation -o all.o "$@" {shlex.join(["all.a", *archives])}')
    if renamed.symbols:
        lines.append(shlex.join(["objcopy", *renamed.options, "all.o"]))
    keep = [word for symbol in symbols for word in ("-G", symbol)]
    lines.append(shlex.join(["objcopy", *keep, "all.o"]))
    return "\n".join(lines) + "\n"


def _renaming(implementation: Implementation) -> list[str]:
    """Return the options of objcopy that rename symbols as macros do in sources that are preprocessed.

    There are none if all sources are, or if the macros leave functions their names.
    """
    foreign = implementation.foreign
    assert foreign
    if all(source.suffix != NOT_PREPROCESSED for source in implementation.sources):
        return []
    names = {symbol for _, symbol in foreign.names}
    renamed = [d for d in foreign.defines if d.startswith(implementation.operation) and d.partition("=")[2] in names]
    return [word for define in renamed for word in ("--redefine-sym", define)]


def _home(foreign: Foreign, sources: Sequence[Path]) -> tuple[Path, list[Path], list[str]]:
    """Return the implementation's folder, its sources, and the commands that prepare both.

    If generated headers override some of its files, the folder is a copy: a quoted include finds neighbours first.
    """
    if not foreign.overridden:
        return foreign.home, list(sources), []
    copy = Path("home")
    commands = [["chmod", "-R", "u+w", str(copy)]]
    commands += [["cp", f"headers/{name}", str(copy / name)] for name in foreign.overridden]
    copies = [copy / path.relative_to(foreign.home) if foreign.home in path.parents else path for path in sources]
    # The pattern leaves out names that begin with a dot: Emacs's locks are links to nothing, which cannot be copied.
    copying = f"mkdir {copy}; cp -RL {shlex.quote(str(foreign.home))}/* {copy}"
    return copy, copies, [copying, *(shlex.join(command) for command in commands)]


# A compiler's message if an implementation was copied out of its tree and includes another primitive of that tree.
_MISSING_INCLUDE = re.compile(r"fatal error: '?(crypto_[a-z]+_\w+\.h)\b")


def compile_error(message: str) -> BuildError:
    """Return why a foreign implementation does not compile, judged by its compiler's message."""
    if message == DEFINES_NONE:
        return BuildError(FailureKind.FUNCTION_MISSING, DEFINES_NONE, message)
    if missing := _MISSING_INCLUDE.search(message):
        reason = f"needs {missing[1]}, which is missing here; name the implementation's folder inside its tree"
        return BuildError(FailureKind.NEEDS_LIBRARY, reason, message)
    return BuildError(FailureKind.DOES_NOT_COMPILE, "does not compile", message)
