# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles foreign implementations in the sandbox, each to one object in which only the API is visible."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cyclometer.compile import vendored
from cyclometer.compile.build_tool import LIBRARY, BuildError, TimeBudgets, run_build_tool, take, without_folders
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.sources import Includes, used_macros
from cyclometer.execute.bubblewrap import tool_folders
from cyclometer.records.catalogue import Compiler, Foreign, Implementation
from cyclometer.records.failure import FailureKind
from cyclometer.untrusted import files_below, is_file, read_bytes, read_text, with_suffixes

CPLUSPLUS = (".cc", ".cpp")
NOT_PREPROCESSED = ".s"
_HEADERS = (".h", ".hpp", ".inc")
DEFINES_NONE = "defines none of the functions of its operation"
_VALUE = re.compile(r"^size_(\w+):\s*\.(?:(?:quad|xword|8byte|dword)\s+(\S+)|zero\s+8)", re.MULTILINE)
_NAME = re.compile(
    r'^cyclometer_name_(\d{1,3}):\s*\.(?:string|asciz)\s+"([A-Za-z_]\w{0,199})"', re.MULTILINE | re.ASCII
)
_GLUE = "glue.c"
MOST_BYTES = 1 << 18  # of a hash, a tag ...: the harness has several of them on its stack
MOST_LARGE_BYTES = 1 << 26  # of a key, a ciphertext or a signature: a check has several of them in memory


@dataclass(frozen=True, kw_only=True)
class _Renamed:
    """What is done about names that headers of an implementation give functions of the API."""

    symbols: Mapping[str, str] = field(default_factory=dict)  # of the implementation's sources -> ours
    glue: str = ""  # a source that defines some of ours by other functions of the implementation

    @property
    def options(self) -> list[str]:
        """Those of objcopy that rename the symbols."""
        return [word for old, new in self.symbols.items() for word in ("--redefine-sym", f"{old}={new}")]

    @property
    def parts(self) -> list[str]:
        """What an object's key has of it: nothing if nothing is renamed."""
        return [*self.options, *filter(None, (self.glue,))]


class ForeignCode:
    """Compiles foreign implementations and evaluates the sizes in their headers; `cpu` names the CPU."""

    def __init__(self, cache: Cache, cpu: str, includes: Includes, budgets: TimeBudgets) -> None:
        self.cache, self.cpu, self.includes, self.budgets = cache, cpu, includes, budgets

    def sizes(
        self,
        foreign: Foreign,
        compiler: Compiler,
        exported_headers: Iterable[tuple[str, str]] = (),
        libraries: Sequence[Path] = (),
    ) -> dict[str, int] | ToolFailure:
        """Return the sizes that the API header defines, evaluated by the compiler: BYTES -> 32.

        Those that it does not define may be in a header that renames functions. The header may include
        `exported_headers` and the headers of `libraries`, which are as in `object`.
        """
        text = "".join(
            f"#ifdef {foreign.prefix}{name}\n"
            f"__attribute__((used)) unsigned long long size_{name} = ({foreign.prefix}{name});\n#endif\n"
            for name in foreign.sizes
        )
        found = self._assembly(foreign, [foreign.api], text, compiler, exported_headers, libraries)
        sizes = found if isinstance(found, ToolFailure) else _values(foreign, found)
        if foreign.renaming and (isinstance(sizes, ToolFailure) or len(sizes) < len(foreign.sizes)):
            more = self._assembly(foreign, foreign.renaming, text, compiler, exported_headers, libraries)
            if not isinstance(more, ToolFailure):
                return _values(foreign, more) | ({} if isinstance(sizes, ToolFailure) else sizes)
        return sizes

    def _renamed(
        self,
        foreign: Foreign,
        compiler: Compiler,
        exported_headers: Iterable[tuple[str, str]],
        libraries: Sequence[Path],
    ) -> _Renamed:
        """Return what is done about the names that the implementation's own headers give functions of the API.

        Headers that do not compile by themselves rename nothing.
        """
        if not foreign.renaming:
            return _Renamed()
        names = {f"crypto_{name.partition('_')[2]}": symbol for name, symbol in foreign.names}
        text = "#define cyclometer_quoted(name) #name\n#define cyclometer_value(name) cyclometer_quoted(name)\n"
        text += "".join(
            f"__attribute__((used)) const char cyclometer_name_{number}[] = cyclometer_value({name});\n"
            for number, name in enumerate(names)
        )
        found = self._assembly(foreign, foreign.renaming, text, compiler, exported_headers, libraries)
        theirs = {} if isinstance(found, ToolFailure) else dict(_NAME.findall(found))
        symbols = {ours: theirs.get(str(number), ours) for number, ours in enumerate(names.values())}
        glue = ""
        if foreign.without_context:
            before, after, defined = _without_context(foreign.without_context, names)
            found = self._assembly(foreign, foreign.renaming, after, compiler, exported_headers, libraries, before)
            if not isinstance(found, ToolFailure):
                glue = before + _including(foreign.renaming) + after
                symbols |= {ours: ours for ours in defined}
        return _Renamed(symbols={name: ours for ours, name in symbols.items() if name != ours}, glue=glue)

    def _assembly(
        self,
        foreign: Foreign,
        included: Sequence[Path],
        text: str,
        compiler: Compiler,
        exported_headers: Iterable[tuple[str, str]],
        libraries: Sequence[Path],
        before: str = "",
    ) -> str | ToolFailure:
        """Compile the text `before`, includes of headers of the implementation, and `text`; return the assembly.

        `RefusedFile` if that has more than MAX_FILE bytes.
        """
        text = before + _including(included) + text
        folders = tuple(dict.fromkeys((*(path.parent for path in included), *foreign.folders)))
        # A header that includes nothing needs no include path, so that all identical ones share a cache entry.
        if any(b"include" in read_bytes(path) for path in included):
            others = [path for path in _includable(foreign) if path.suffix in _HEADERS]
            defines = foreign.defines
            parts = dict.fromkeys(part for path in included for part in self.includes.closure(path, folders, others))
            contents, headers = tuple(parts), tuple(sorted({*foreign.headers, *exported_headers}))
        else:
            names = frozenset[str]().union(*(self.includes.names(path, ()) for path in included))
            defines = tuple(used_macros(foreign.defines, names))
            contents = tuple(hashlib.sha256(read_bytes(path)).hexdigest() for path in included)
            headers, libraries = (), ()
        unpack, include, _ = vendored.unpacking(libraries)
        options = [*compiler.flags, "-O0", "-w", *(f"-D{define}" for define in defines), "-Iheaders", *include]
        stems = [library.stem for library in libraries]
        key = Cache.key("sizes", text, compiler.version, self.cpu, options, headers, contents, *stems)

        def builder(out: Path) -> str:
            with self.cache.scratch() as scratch:
                _put_headers(scratch, headers)
                (scratch / "sizes.c").write_text(text, encoding="utf-8")
                own = _beside(path for path in included if path != foreign.api)  # no api.h is generated
                tool = [compiler.command, *compiler.target, *own, *options]
                tool += [*(f"-I{folder}" for folder in folders), "-S", "-o", "sizes.s", "sizes.c"]
                script = "\n".join(("set -e", *unpack, shlex.join(tool)))
                readable = [*_folders(foreign, compiler), *libraries]
                outcome = run_build_tool(["sh", "-c", script], readable=readable, writable=scratch, seconds=60)
                if outcome.problem:
                    return without_folders(outcome.first_error() or outcome.problem, folders)
                return take(scratch / "sizes.s", out)

        result = self.cache.make(key, ".s", builder)
        if isinstance(result, ToolFailure):
            return result
        return read_text(result)

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
        files = dict.fromkeys((*implementation.sources, *_includable(foreign)))
        parts = [self.includes.closure(path, foreign.folders) for path in files]
        symbols = sorted({symbol for _, symbol in foreign.names})
        renamed = self._renamed(foreign, compiler, exported_headers, libraries)
        key = Cache.key(
            "foreign", compiler.command, compiler.version, self.cpu, flags, foreign.defines, headers, parts, symbols,
            *(library.stem for library in libraries), *foreign.overridden, *_renaming(implementation), *renamed.parts,
        )  # fmt: skip

        def builder(out: Path) -> str:
            with self.cache.scratch() as scratch:
                _put_headers(scratch, headers)
                script = _script(implementation, compiler, flags, symbols, libraries, renamed)
                (scratch / _GLUE).write_text(renamed.glue, encoding="utf-8")
                (scratch / "compile.sh").write_text(script, encoding="utf-8", errors="surrogateescape")
                readable = [*_folders(foreign, compiler), *libraries]
                outcome = run_build_tool(["sh", "compile.sh"], readable=readable, writable=scratch)
                if outcome.problem:
                    own = (foreign.home, *foreign.folders, foreign.tree)
                    return without_folders(outcome.first_error() or outcome.problem, own)
                return take(scratch / "all.o", out)

        return self.cache.make(key, ".o", builder)


def _including(headers: Iterable[Path]) -> str:
    return "".join(f'#include "{path.name}"\n' for path in headers)


def _beside(headers: Iterable[Path]) -> list[str]:
    """Return the options before all others by which these are found, not headers generated under the same names."""
    return [f"-I{folder}" for folder in dict.fromkeys(path.parent for path in headers)]


def _without_context(source: Path, names: Mapping[str, str]) -> tuple[str, str, list[str]]:
    """Return what is before and after the headers in a source of functions without a context, and its symbols.

    `names` are the plain names of functions and our symbols. The headers alone decide about the names of those that
    have a context.
    """
    text = read_text(source)
    defined = {name: symbol for name, symbol in names.items() if f" {_without(name)}(" in text}
    before = "".join(f"#undef {name}\n" for name in names)
    macros = "".join(f"#define {_without(name)} {symbol}\n" for name, symbol in defined.items())
    return before, macros + text, list(defined.values())


def _without(name: str) -> str:
    return name.replace("crypto_", "without_context_", 1)


def _includable(foreign: Foreign) -> list[Path]:
    """Return what a source may include by the name of a macro or in angle brackets.

    That is the whole folder of the implementation, and headers of its tree in the include path.
    """
    shared = [folder for folder in foreign.folders if folder.is_relative_to(foreign.tree)]
    headers = [path for folder in shared for path in with_suffixes(folder, _HEADERS) if is_file(path, foreign.tree)]
    return list(dict.fromkeys((*files_below(foreign.home, foreign.tree), *headers)))


def _script(
    implementation: Implementation,
    compiler: Compiler,
    flags: Sequence[str],
    symbols: Sequence[str],
    libraries: Sequence[Path],
    renamed: _Renamed,
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
        own = _beside(foreign.renaming)
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


def _put_headers(scratch: Path, headers: Iterable[tuple[str, str]]) -> None:
    (scratch / "headers").mkdir(exist_ok=True)
    for name, text in headers:
        (scratch / "headers" / name).write_text(text, encoding="utf-8")


def _folders(foreign: Foreign, compiler: Compiler) -> list[Path]:
    """Return what a compiler may read: the tree, our own support headers outside it, and itself."""
    support = [folder for folder in foreign.folders if not folder.is_relative_to(foreign.tree)]
    return [foreign.tree, *support, *tool_folders([compiler.command, compiler.cxx])]


def _values(foreign: Foreign, assembly: str) -> dict[str, int]:
    """Return the sizes; BuildError names one that cannot be a number of bytes."""
    values = {name: value or "0" for name, value in _VALUE.findall(assembly)}
    for name, value in values.items():
        most = MOST_LARGE_BYTES if name in foreign.large_sizes else MOST_BYTES
        if not value.isdecimal() or int(value) > most:
            number = value if value.lstrip("-").isdecimal() else "something that is no number"
            reason = f"{foreign.api.name} defines {foreign.prefix}{name} as {number}; it must be from 0 to {most}"
            raise BuildError(FailureKind.DOES_NOT_COMPILE, reason)
    return {name: int(value) for name, value in values.items()}


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
