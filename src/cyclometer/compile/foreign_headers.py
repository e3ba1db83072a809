# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a compiler says of a foreign implementation's headers: the sizes they define, and the names of functions."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cyclometer.compile import vendored
from cyclometer.compile.build_tool import BuildError, run_build_tool, take, without_folders
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.sources import Includes, used_macros
from cyclometer.execute.bubblewrap import tool_folders
from cyclometer.records.catalogue import Compiler, Foreign
from cyclometer.records.failure import FailureKind
from cyclometer.untrusted import files_below, is_file, read_bytes, read_text, with_suffixes

_HEADERS = (".h", ".hpp", ".inc")
_VALUE = re.compile(r"^size_(\w+):\s*\.(?:(?:quad|xword|8byte|dword)\s+(\S+)|zero\s+8)", re.MULTILINE)
_NAME = re.compile(
    r'^cyclometer_name_(\d{1,3}):\s*\.(?:string|asciz)\s+"([A-Za-z_]\w{0,199})"', re.MULTILINE | re.ASCII
)
MOST_BYTES = 1 << 18  # of a hash, a tag ...: the harness has several of them on its stack
MOST_LARGE_BYTES = 1 << 26  # of a key, a ciphertext or a signature: a check has several of them in memory


@dataclass(frozen=True, kw_only=True)
class Renamed:
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


class ForeignHeaders:
    """Evaluates headers of foreign implementations in the sandbox; `cpu` names the CPU."""

    def __init__(self, cache: Cache, cpu: str, includes: Includes) -> None:
        self._cache, self._cpu, self._includes = cache, cpu, includes

    def sizes(
        self,
        foreign: Foreign,
        compiler: Compiler,
        exported_headers: Iterable[tuple[str, str]] = (),
        libraries: Sequence[Path] = (),
    ) -> dict[str, int] | ToolFailure:
        """Return the sizes that the API header defines, evaluated by the compiler: BYTES -> 32.

        Those that it does not define may be in a header that renames functions. The header may include
        `exported_headers` and the headers of `libraries`, which are as in `ForeignCode.object`.
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

    def renamed(
        self,
        foreign: Foreign,
        compiler: Compiler,
        exported_headers: Iterable[tuple[str, str]],
        libraries: Sequence[Path],
    ) -> Renamed:
        """Return what is done about the names that the implementation's own headers give functions of the API.

        Headers that do not compile by themselves rename nothing.
        """
        if not foreign.renaming:
            return Renamed()
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
        return Renamed(symbols={name: ours for ours, name in symbols.items() if name != ours}, glue=glue)

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
            others = [path for path in includable(foreign) if path.suffix in _HEADERS]
            defines = foreign.defines
            parts = dict.fromkeys(part for path in included for part in self._includes.closure(path, folders, others))
            contents, headers = tuple(parts), tuple(sorted({*foreign.headers, *exported_headers}))
        else:
            names = frozenset[str]().union(*(self._includes.names(path, ()) for path in included))
            defines = tuple(used_macros(foreign.defines, names))
            contents = tuple(hashlib.sha256(read_bytes(path)).hexdigest() for path in included)
            headers, libraries = (), ()
        unpack, include, _ = vendored.unpacking(libraries)
        options = [*compiler.flags, "-O0", "-w", *(f"-D{define}" for define in defines), "-Iheaders", *include]
        stems = [library.stem for library in libraries]
        key = Cache.key("sizes", text, compiler.version, self._cpu, options, headers, contents, *stems)

        def builder(out: Path) -> str:
            with self._cache.scratch() as scratch:
                put_headers(scratch, headers)
                (scratch / "sizes.c").write_text(text, encoding="utf-8")
                own = beside(path for path in included if path != foreign.api)  # no api.h is generated
                tool = [compiler.command, *compiler.target, *own, *options]
                tool += [*(f"-I{folder}" for folder in folders), "-S", "-o", "sizes.s", "sizes.c"]
                script = "\n".join(("set -e", *unpack, shlex.join(tool)))
                readable = [*readable_folders(foreign, compiler), *libraries]
                outcome = run_build_tool(["sh", "-c", script], readable=readable, writable=scratch, seconds=60)
                if outcome.problem:
                    return without_folders(outcome.first_error() or outcome.problem, folders)
                return take(scratch / "sizes.s", out)

        result = self._cache.make(key, ".s", builder)
        if isinstance(result, ToolFailure):
            return result
        return read_text(result)


def _including(headers: Iterable[Path]) -> str:
    return "".join(f'#include "{path.name}"\n' for path in headers)


def beside(headers: Iterable[Path]) -> list[str]:
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


def includable(foreign: Foreign) -> list[Path]:
    """Return what a source may include by the name of a macro or in angle brackets.

    That is the whole folder of the implementation, and headers of its tree in the include path.
    """
    shared = [folder for folder in foreign.folders if folder.is_relative_to(foreign.tree)]
    headers = [path for folder in shared for path in with_suffixes(folder, _HEADERS) if is_file(path, foreign.tree)]
    return list(dict.fromkeys((*files_below(foreign.home, foreign.tree), *headers)))


def put_headers(scratch: Path, headers: Iterable[tuple[str, str]]) -> None:
    (scratch / "headers").mkdir(exist_ok=True)
    for name, text in headers:
        (scratch / "headers" / name).write_text(text, encoding="utf-8")


def readable_folders(foreign: Foreign, compiler: Compiler) -> list[Path]:
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
