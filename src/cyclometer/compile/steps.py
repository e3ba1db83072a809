# SPDX-License-Identifier: MIT OR Apache-2.0
"""The steps of a build (compile, isolate, link), each cached by the hash of its inputs."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from cyclometer.compile.build_tool import BuildError, run_build_tool, take, without_folders
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.object_code import early_functions, global_symbols, maps_writable_code, writable_code
from cyclometer.compile.packages import Package, flag_folders
from cyclometer.compile.precompiled import INTRINSICS, precompile
from cyclometer.compile.sources import Includes, used_macros, without_folder
from cyclometer.errors import StorageFailed
from cyclometer.execute import sandbox
from cyclometer.execute.bubblewrap import tool_folders
from cyclometer.paths import runtime_folders
from cyclometer.records.catalogue import Compiler, Implementation
from cyclometer.records.failure import FailureKind
from cyclometer.untrusted import shortened

FOREIGN_MAY_CALL = ("main", "randombytes", "kernelrandombytes", "crypto_declassify")
TREE_FOLDERS = ("harness", "operations", "primitives", "providers", "adapters")  # what sources include from
COMMON_FLAGS = ("-fvisibility=hidden", "-fno-strict-overflow", "-w")
# The addresses of library functions are found before the program starts and are read-only then, so that code under test
# cannot put functions of its own in their place. No stack is executable, though honest assembly forgets to say so.
PROTECTED = ("-Wl,-z,relro,-z,now,-z,noexecstack",)
ABSOLUTE_ADDRESS = "can not be used when making a PIE object"  # the linker's message
WRITABLE_CODE = "is both writable and executable; make code read-only and data not executable"


class BuildSteps:
    """Steps that raise BuildError if they fail. `counter` names the file of harness/counters, without .h.

    `read_gap` is the number of core cycles between two reads for one count, 0 for one read (counter_mean.h).
    """

    def __init__(
        self, harness: Path, cache: Cache, counter: str, cpu: str, includes: Includes, read_gap: int = 0
    ) -> None:
        self.harness, self.cache, self.counter, self.cpu, self.includes = harness, cache, counter, cpu, includes
        self.read_gap = read_gap
        self.tree = [folder for name in TREE_FOLDERS if (folder := harness.parent / name).is_dir()]
        # gold takes a third of the default linker's time; if it fails, the default one is used. With --rosegment,
        # constants are not executable, as with the default one.
        self.quick_linker = ["-fuse-ld=gold", "-Wl,--rosegment"] if shutil.which("ld.gold") else []

    def object(
        self,
        source: Path,
        compiler: Compiler,
        flags: Sequence[str],
        include: Sequence[Path],
        macros: Sequence[tuple[str, str]],
        harness: bool = False,
        precompiled: tuple[Path | None, str] = (None, ""),
    ) -> Path:
        """Compile one object file.

        Only `harness` files include the counter. `precompiled` is a header to precompile, and the version of what
        it includes.
        """
        flags = (*compiler.target, *flags) if harness else flags
        more = [self.harness / "counters" / f"{self.counter}.h"] if harness else []
        more += _files_named(macros, (source.parent, *include))
        header, version = precompiled
        parts = self.includes.closure(source, include, more)
        # Unused macros are left out, so that many implementations and compositions share the object.
        defines = [f"{name}={value}" for name, value in macros]
        defines = used_macros(defines, self.includes.names(source, include, more))
        if harness:
            own_parts = self.includes.closure(source, runtime_folders(self.harness), more)
            if _system(parts) <= _system(own_parts):  # it includes no library's header
                flags, version = [flag for flag in flags if not flag.startswith("-I")], ""
            parts = [without_folder(part) for part in parts]
            defines.append(f'COUNTER_HEADER="counters/{self.counter}.h"')
            defines += [f"READ_GAP={self.read_gap}"] if self.read_gap else []
        cplusplus = source.suffix in (".cc", ".cpp")
        tool = compiler.cxx if cplusplus else compiler.command
        key = Cache.key("object", tool, compiler.version, self.cpu, flags, defines, parts, version)
        options = [*(f"-D{define}" for define in defines), *(f"-I{folder}" for folder in include)]
        command = [tool, *flags, *options, "-c", str(source)]
        folders = [source.parent, *include, *flag_folders(flags)]

        def precompiled_options() -> list[str]:
            if header:
                text = header.read_text(encoding="utf-8")
                return precompile(compiler, text, flags, self.cache, (self.cpu, version), cplusplus, folders)
            return self.intrinsics(compiler) if INTRINSICS in parts and source.suffix == ".c" and not harness else []

        def builder(out: Path) -> str:
            extra = precompiled_options()
            if extra and not self._run([*command, *extra], out, folders):
                return ""
            own = (source.parent, *include, self.harness.parent)
            return without_folders(self._run(command, out, folders), own)

        result = self.cache.make(key, ".o", builder)
        if isinstance(result, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, f"{source.name} does not compile", result.message)
        return result

    def intrinsics(self, compiler: Compiler) -> list[str]:
        """Precompile the header of the CPU's intrinsics; return the options that use it."""
        shared = (*compiler.target, *compiler.flags, *COMMON_FLAGS)
        return precompile(compiler, f"#include {INTRINSICS}\n", shared, self.cache, (self.cpu,))

    def isolate(
        self, objects: Sequence[Path], names: Sequence[tuple[str, str]] = (), exported: Sequence[str] = FOREIGN_MAY_CALL
    ) -> Path:
        """Join objects to one that exports only these symbols: of the harness, what foreign code may call.

        `names` maps the functions that it calls to their foreign names.
        """
        keep = [word for symbol in exported for word in ("-G", symbol)]
        renamed = [word for ours, theirs in names for word in ("--redefine-sym", f"{ours}={theirs}")]

        def join(out: Path) -> str:
            script = f'ld -r -o joined.o "$@" && objcopy {shlex.join(keep)} joined.o'
            return self.script(script, objects, "joined.o", out)

        result = self.cache.make(Cache.key("isolated", [o.stem for o in objects], keep), ".o", join)
        if renamed and not isinstance(result, ToolFailure):
            isolated = result
            result = self.cache.make(
                Cache.key("renamed", isolated.stem, renamed),
                ".o",
                lambda out: self.script(f'objcopy {shlex.join(renamed)} "$1" renamed.o', [isolated], "renamed.o", out),
            )
        if isinstance(result, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_LINK, "does not link", result.message)
        return result

    def link(
        self,
        compiler: Compiler,
        objects: Sequence[Path],
        packages: Package,
        implementation: Implementation | None,
    ) -> Path:
        """Link an executable; without an implementation, the counter probe.

        It is position-independent, unless the linker says that some assembly is not.
        """
        try:
            return self._linked(compiler, objects, packages, implementation)
        except BuildError as error:
            if ABSOLUTE_ADDRESS not in error.detail:
                raise
            return self._linked(compiler, objects, packages, implementation, ("-no-pie",))

    def _linked(
        self,
        compiler: Compiler,
        objects: Sequence[Path],
        packages: Package,
        implementation: Implementation | None,
        more: Sequence[str] = (),
    ) -> Path:
        cplusplus = implementation and any(s.suffix in (".cc", ".cpp") for s in implementation.sources)
        tool = compiler.cxx if cplusplus else compiler.command
        sanitizers = compiler.sanitizer_flags
        flags = [*compiler.target, *sanitizers, *PROTECTED, *more]
        contents = [self.cache.digest(o) for o in objects]  # not keys: -O2 and -O3 often produce the same
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
                driver = quick if not sanitizers and shutil.which(quick) else tool
                if not self._run([driver, *parts, *self.quick_linker], out, flag_folders(parts)):
                    return require_protection(out)
            failed = self._run([tool, *parts], out, flag_folders(parts))
            _require_there(objects if failed else ())
            return failed or require_protection(out)

        def require_protection(out: Path) -> str:
            if implementation and not sanitizers and early_functions(out) > 1:  # sanitizers have one as well
                reason = "runs code before the harness confines it (.preinit_array)"
                raise BuildError(FailureKind.DOES_NOT_LINK, reason)
            if implementation and maps_writable_code(out):
                raise BuildError(FailureKind.DOES_NOT_LINK, f"a part of the program {WRITABLE_CODE}")
            return ""

        result = self.cache.make(key, ".exe", linker)
        if isinstance(result, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_LINK, "does not link", result.message)
        return result

    def require_no_replacement(self, operation: str, own: Sequence[Path], harness: Sequence[Path]) -> None:
        """Raise BuildError if an implementation defines a function of the C library that the harness calls.

        It would take the place of that one, and could lie about memory, time or records.
        """
        wanted, given = global_symbols(harness).undefined, global_symbols(own).defined
        replaced = sorted(name for name in wanted & given if not name.startswith(("crypto_", f"{operation}_")))
        if replaced:
            raise BuildError(FailureKind.DOES_NOT_LINK, f"defines {replaced[0]}, which the harness calls")

    def require_read_only_code(self, own: Sequence[Path]) -> None:
        """Raise BuildError if an object has writable code: linked, the harness's own would be writable, too."""
        if name := next(filter(None, map(writable_code, own)), ""):
            raise BuildError(FailureKind.DOES_NOT_LINK, f"its section {shortened(name)} {WRITABLE_CODE}")

    def _run(self, command: Sequence[str], out: Path, folders: Sequence[Path]) -> str:
        """Run a compiler that writes `out`; return its error message, or ''. It can read the tree and the cache."""
        with self.cache.scratch() as scratch:
            made = scratch / f"made{out.suffix}"
            readable = [self.cache.folder, *self.tree, *folders, *tool_folders(command[:1])]
            outcome = run_build_tool([*command, "-o", str(made)], readable=readable, writable=scratch)
            return _error_text(outcome) or take(made, out)

    def script(self, script: str, objects: Sequence[Path], made: str, out: Path) -> str:
        """Run a shell script on object files; it leaves the file `made`, which becomes `out`."""
        _require_there(objects)  # without one the sandbox cannot start
        with self.cache.scratch() as scratch:
            command = ["sh", "-c", script, "sh", *map(str, objects)]
            outcome = run_build_tool(command, readable=objects, writable=scratch)
            _require_there(objects if outcome.problem else ())
            return _error_text(outcome) or take(scratch / made, out)


def _require_there(objects: Sequence[Path]) -> None:
    """Raise StorageFailed if an object is gone: the failure that comes of it must not be cached."""
    for each in objects:
        if not each.exists():
            raise StorageFailed(f"the build cache {each.parent.parent} was removed while it was in use; repeat")


def _files_named(macros: Sequence[tuple[str, str]], folders: Sequence[Path]) -> list[Path]:
    """Return the files that a source may include by the name of a macro."""
    names = [value.strip('"') for _, value in macros if value.startswith('"')]
    return [folder / name for name in names for folder in folders if (folder / name).is_file()]


def _system(parts: Sequence[str]) -> set[str]:
    """Return the system headers among the parts of a closure."""
    return {part for part in parts if part.startswith("<")}


# Messages of a compiler about the machine, not the source: such failures must not be cached.
_DISK_FULL = "No space left on device"
_OUT_OF_MEMORY = ("Killed signal", "annot allocate memory", "Resource temporarily")


def _error_text(outcome: sandbox.Outcome) -> str:
    """Return the error message of a tool that failed, or '' if it did not."""
    message = outcome.last_words()
    if outcome.problem and _DISK_FULL in message:
        raise StorageFailed("cannot write the build cache or the folder for temporary files: the disk is full")
    if outcome.problem and any(text in message for text in _OUT_OF_MEMORY):
        raise BuildError(FailureKind.TOOL_FAILED, f"the compiler could not finish: {outcome.problem}", message)
    return (outcome.first_error() or outcome.problem) if outcome.problem else ""
