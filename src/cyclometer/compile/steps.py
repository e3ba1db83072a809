# SPDX-License-Identifier: MIT OR Apache-2.0
"""The steps of a build, each cached by the hash of everything that goes into it: compile, join, link, count bytes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.packages import Package
from cyclometer.compile.precompiled import INTRINSICS, read_before
from cyclometer.compile.sources import Includes, used_macros
from cyclometer.errors import StorageFailed
from cyclometer.execute import sandbox
from cyclometer.paths import runtime_folders
from cyclometer.records.catalogue import Compiler, Implementation
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning

FOREIGN_MAY_CALL = ("main", "randombytes", "kernelrandombytes", "crypto_declassify")
COMMON_FLAGS = ("-fvisibility=hidden", "-fno-strict-overflow", "-w")


class BuildError(Exception):
    """Ends one build with the kind of failure, the reason and the tool's words."""

    def __init__(self, kind: FailureKind, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.kind, self.reason, self.detail = kind, reason, detail

    def failure(self, subject: Tuning) -> Failure:
        """The record of it."""
        return Failure(stage="build", subject=subject, kind=self.kind, reason=self.reason, detail=self.detail)


class BuildSteps:
    """Every step raises Stop where it fails. `counter` names the file of harness/counters, without .h."""

    def __init__(self, harness: Path, cache: Cache, counter: str, cpu: str, includes: Includes) -> None:
        self.harness, self.cache, self.counter, self.cpu, self.includes = harness, cache, counter, cpu, includes
        # Of binutils' two, gold takes a third of the time; where it fails, the compiler's own has the word. As with
        # that, what stands among constants cannot be executed.
        self.quick_linker = ["-fuse-ld=gold", "-Wl,--rosegment"] if shutil.which("ld.gold") else []

    def object(
        self,
        source: Path,
        compiler: Compiler,
        flags: Sequence[str],
        include: Sequence[Path],
        macros: Sequence[tuple[str, str]],
        harness: bool = False,
        before: tuple[Path | None, str] = (None, ""),
    ) -> Path:
        """One object file. Harness files see the counter; `before` is a header to read first, and the version of
        what it includes."""
        more = [self.harness / "counters" / f"{self.counter}.h"] if harness else []
        more += _files_named(macros, (source.parent, *include))
        header, version = before
        parts = self.includes.closure(source, include, more)
        # Without what it does not see, it is the same for many implementations, and in all compositions.
        defines = [f"{name}={value}" for name, value in macros]
        defines = used_macros(defines, self.includes.names(source, include, more))
        if harness:
            ours = self.includes.closure(source, runtime_folders(self.harness), more)
            if _system(parts) <= _system(ours):  # no library's header
                flags, version = [flag for flag in flags if not flag.startswith("-I")], ""
            parts = [_anywhere(part) for part in parts]
            defines.append(f'COUNTER_HEADER="counters/{self.counter}.h"')
        cplusplus = source.suffix in (".cc", ".cpp")
        tool = compiler.cxx if cplusplus else compiler.command
        key = Cache.key("object", tool, compiler.version, self.cpu, flags, defines, parts, version)
        options = [*(f"-D{define}" for define in defines), *(f"-I{folder}" for folder in include)]
        command = [tool, *flags, *options, "-c", str(source)]

        def read() -> list[str]:
            if header:
                text = header.read_text(encoding="utf-8")
                return read_before(compiler, text, flags, self.cache, (self.cpu, version), cplusplus)
            if INTRINSICS in parts and source.suffix == ".c" and not harness:
                shared = (*compiler.flags, *COMMON_FLAGS)
                return read_before(compiler, f"#include {INTRINSICS}\n", shared, self.cache, (self.cpu,))
            return []

        def builder(out: Path) -> str:
            known = read()
            if known and not sandbox.run_tool([*command, *known, "-o", str(out)]).problem:
                return ""
            return _error_text(sandbox.run_tool([*command, "-o", str(out)]))

        made = self.cache.make(key, ".o", builder)
        if isinstance(made, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, f"{source.name} does not compile", made.words)
        return made

    def isolate(self, objects: Sequence[Path], names: Sequence[tuple[str, str]]) -> Path:
        """Harness, loops and glue as one object of which foreign code sees only what it may call; what they call is
        called by its foreign name."""
        keep = [word for symbol in FOREIGN_MAY_CALL for word in ("-G", symbol)]
        renamed = [word for ours, theirs in names for word in ("--redefine-sym", f"{ours}={theirs}")]

        def join(out: Path) -> str:
            joined = sandbox.run_tool(["ld", "-r", "-o", str(out), *map(str, objects)])
            return _error_text(joined) or _error_text(sandbox.run_tool(["objcopy", *keep, str(out)]))

        made = self.cache.make(Cache.key("apart", [o.stem for o in objects], keep), ".o", join)
        if renamed and not isinstance(made, ToolFailure):
            common = made
            made = self.cache.make(
                Cache.key("renamed", common.stem, renamed),
                ".o",
                lambda out: _error_text(sandbox.run_tool(["objcopy", *renamed, str(common), str(out)])),
            )
        if isinstance(made, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_LINK, "does not link", made.words)
        return made

    def link(
        self,
        compiler: Compiler,
        objects: Sequence[Path],
        packages: Package,
        implementation: Implementation | None,
    ) -> Path:
        cplusplus = implementation and any(s.suffix in (".cc", ".cpp") for s in implementation.sources)
        tool = compiler.cxx if cplusplus else compiler.command
        flags = [flag for flag in compiler.flags if flag.startswith("-fsanitize")]
        contents = [self.cache.digest(o) for o in objects]  # -O2 and -O3 often make the same
        libraries = implementation.libraries if implementation else ()
        if implementation and implementation.foreign:
            libraries += ("-lm",)
        key = Cache.key(
            "program", tool, compiler.version, flags, contents, packages.identity, libraries, self.quick_linker
        )
        parts = [*flags, *map(str, objects), *packages.libs, *libraries]

        def linker(out: Path) -> str:
            if self.quick_linker and not compiler.emulator:
                quick = dict(compiler.link_with).get(tool, tool)
                driver = quick if not flags and shutil.which(quick) else tool
                if not sandbox.run_tool([driver, *parts, *self.quick_linker, "-o", str(out)]).problem:
                    return ""
            return _error_text(sandbox.run_tool([tool, *parts, "-o", str(out)]))

        made = self.cache.make(key, ".exe", linker)
        if isinstance(made, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_LINK, "does not link", made.words)
        return made

    def code_bytes(self, compiler: Compiler, objects: Sequence[Path]) -> int:
        """Text and read-only data of the implementation's own objects, as size(1) counts them."""
        if compiler.emulator:
            return 0
        key = Cache.key("size", [self.cache.digest(o) for o in objects])
        made = self.cache.make(key, ".size", lambda out: _text_size(objects, out))
        return 0 if isinstance(made, ToolFailure) else int(made.read_text())


def _files_named(macros: Sequence[tuple[str, str]], folders: Sequence[Path]) -> list[Path]:
    """Those that a source may include by the name of a macro."""
    given = [value.strip('"') for _, value in macros if value.startswith('"')]
    return [folder / name for name in given for folder in folders if (folder / name).is_file()]


def _system(parts: Sequence[str]) -> set[str]:
    """The system's headers among the parts of a closure."""
    return {part for part in parts if part.startswith("<")}


def _anywhere(part: str) -> str:
    """A part of a closure without the name of its folder."""
    return part if part.startswith("<") else re.sub("[^ ]+/", "", part)


def _text_size(objects: Sequence[Path], out: Path) -> str:
    outcome = sandbox.run_tool(["size", *map(str, objects)])
    if outcome.problem:
        return outcome.last_words() or outcome.problem
    rows = outcome.stdout.decode().splitlines()[1:]
    out.write_text(str(sum(int(row.split()[0]) for row in rows)))
    return ""


# What a compiler says that is not the source's fault: nothing that the cache should remember.
_DISK_FULL = "No space left on device"
_RAN_OUT = ("Killed signal", "annot allocate memory", "Resource temporarily")


def _error_text(outcome: sandbox.Outcome) -> str:
    """What a tool that failed said; '' when it did not fail."""
    words = outcome.last_words()
    if outcome.problem and _DISK_FULL in words:
        raise StorageFailed("cannot write the build cache or the folder for temporary files: the disk is full")
    if outcome.problem and (outcome.status is None or outcome.status < 0 or any(w in words for w in _RAN_OUT)):
        raise BuildError(FailureKind.TOOL_FAILED, f"the compiler could not finish: {outcome.problem}", words)
    return (outcome.first_error() or outcome.problem) if outcome.problem else ""
