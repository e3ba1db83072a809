# SPDX-License-Identifier: MIT OR Apache-2.0
"""SUPERCOP trees: crypto_<operation>/<primitive>/<implementation>/api.h.

Names, generated headers and the rule that an include is a dependency are as in SUPERCOP 20260330 and, for older
trees, 20160716; https://bench.cr.yp.to/call-hash.html and its siblings describe the functions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

from cyclometer.discover.foreign import _common, _libraries
from cyclometer.discover.foreign._makefile import Flags, flags
from cyclometer.discover.foreign._tree import (
    ForeignImplementation,
    ForeignTree,
    NativeTree,
    adapted,
    ancestors,
    included,
)
from cyclometer.errors import RefusedFile
from cyclometer.records.catalogue import Foreign, ForeignOperation, Implementation, Oracle
from cyclometer.records.failure import Failure
from cyclometer.untrusted import MAX_LINE_FILE, is_folder, printable, read_text, walk, with_suffixes

EXPECTED = "folders crypto_<operation>/<primitive>/<implementation> with an api.h"

SOURCES = (".c", ".cc", ".cpp", ".S", ".s")
TEXTS = (*SOURCES, ".h", ".inc", ".hpp")
_NO_SOURCE = "has no source file (.c, .cc, .cpp, .S)"
_OTHER_SUFFIXES = (".cxx", ".c++", ".C", ".asm")  # of sources elsewhere
_SMALL, _BIG = "checksumsmall", "checksumbig"
_HEADER = re.compile(r"[\w.+-]{1,200}", re.ASCII)  # the name of one that we include
_NAMED = 8  # architectures in a message


def recognise(folder: Path) -> ForeignTree | None:
    """Return the tree that the folder is, or is a part of."""
    for home in ancestors(folder):
        if home.name.startswith("crypto_") and _is_operation(home):
            return ForeignTree(kind="supercop", root=home.parent, part=folder, label=_label(home.parent))
    if any(_is_operation(home) for home in folder.glob("crypto_*")):
        return ForeignTree(kind="supercop", root=folder, part=folder, label=_label(folder))
    return None


def _is_operation(folder: Path) -> bool:
    """Return whether a folder holds primitives that hold implementations.

    The name alone is not enough: a copy of one primitive may be called crypto_hash_sha256.
    """
    if folder.name.count("_") != 1 or not is_folder(folder):
        return False
    return any(home.parent not in (folder, folder.parent) for home in _implementations(folder, 3))


def _label(root: Path) -> str:
    try:
        return f"SUPERCOP {read_text(root / 'version', inside=root, limit=MAX_LINE_FILE).strip()[:40]}"
    except RefusedFile:
        return f"tree {root.name}"


def listing(tree: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """List every folder with an api.h below crypto_<operation>/<primitive>."""
    result = []
    for operation in sorted(path for path in tree.root.glob("crypto_*") if is_folder(path)):
        for folder in sorted(_implementations(operation, 6)):
            relative = folder.relative_to(operation).parts
            if relative and (len(relative) > 1 or not _has_api(folder)) and tree.concerns(folder):
                result.append(_listed(operation.name, relative, folder, tree, native))
    return result


def _implementations(folder: Path, depth: int) -> Iterator[Path]:
    """Yield the folders, at most `depth` levels below, that have an api.h or cannot be read; links are followed."""
    for home, names in walk(folder, depth, until="api.h"):
        if names is None or "api.h" in names:
            yield home


def _has_api(folder: Path) -> bool:
    return os.path.lexists(folder / "api.h")


def _listed(
    operation: str, relative: tuple[str, ...], folder: Path, tree: ForeignTree, native: NativeTree
) -> ForeignImplementation:
    return ForeignImplementation(
        operation=operation,
        primitive=relative[0],
        name="/".join(relative[1:]),
        folder=folder,
        skip_reason=skip_reason(folder, tree, native) if _has_api(folder) else "its folder cannot be read",
    )


def skip_reason(folder: Path, tree: ForeignTree, native: NativeTree) -> str:
    """Return why an implementation cannot be used here, or ''."""
    if os.path.lexists(folder / "Cargo.toml"):
        return "is written in Rust"
    if not os.path.lexists(folder / "architectures"):
        return ""
    try:
        architectures = tree.text(folder / "architectures", MAX_LINE_FILE).split()
    except RefusedFile as error:
        return str(error)
    if architectures and native.architecture.supercop not in architectures:
        return f"for {', '.join(architectures[:_NAMED])}{' ...' if architectures[_NAMED:] else ''} only"
    return ""


def load(
    listed: ForeignImplementation, tree: ForeignTree, adapter: Path, native: NativeTree
) -> Implementation | Failure:
    """Return what the compile stage needs of an implementation.

    SUPERCOP runs no makefile of an implementation; those of trees with a folder common/ are read.
    """
    sources = with_suffixes(listed.folder, SOURCES)
    if not sources:
        return listed.failure(no_source(listed.folder, tree))
    tree.must_be_readable(sources)
    given = flags(listed.folder, tree) if _common.folder(tree) else Flags()
    return described(listed, sources, given, tree, adapter, native)


def described(
    listed: ForeignImplementation,
    sources: Sequence[Path],
    given: Flags,
    tree: ForeignTree,
    adapter: Path,
    native: NativeTree,
) -> Implementation | Failure:
    """Return what the compile stage needs of an implementation with these sources and flags of its makefile."""
    common = tuple(dict.fromkeys(filter(None, (_common.folder(tree), *given.folders))))
    shared = _common.sources(listed.folder, sources, common, tree)
    tree.must_be_readable(shared)
    foreign = native.names(listed.operation)
    prefix, glue = adapted(listed.operation, adapter)
    symbols, oracles = _Names(listed, tree, foreign), tuple(_oracles(listed, tree, adapter, foreign))
    generated = tuple(symbols.headers(own=True))
    headers = set(_includes(listed.folder, tree))
    libraries = _libraries.included_libraries(headers, adapter)
    vendored = tuple(_libraries.vendored(libraries, tree.root, adapter))
    renaming = tuple(_renaming((*(path.parent for path in sources), listed.api.parent, *common), symbols, tree))
    without_context = adapter / "context" / f"{listed.operation}.c"
    for library in vendored:
        libraries.pop(library.name, None)
    if missing := _libraries.missing_library(libraries):
        return listed.failure(missing)
    return Implementation(
        operation=listed.operation,
        primitive=listed.primitive,
        name=listed.name,
        folders=tuple(path for path in (adapter / listed.operation, adapter / "include") if path.is_dir()),
        sources=tuple(dict.fromkeys((*sources, *shared))),
        packages=tuple(p for library in libraries.values() for p in library.packages),
        debian=" ".join(library.debian for library in libraries.values()),
        libraries=tuple(flag for library in libraries.values() for flag in library.link),
        glue=(adapter / "support.c", *glue, *(_checksum_sources(listed, adapter) if oracles else ())),
        macros=tuple(_checksum_macros(listed)),
        constant_time=True if promises_constant_time(listed) else None,  # SUPERCOP cannot declare the opposite
        foreign=Foreign(
            tree=tree.root,
            home=listed.folder,
            folders=(adapter / "include", *common),
            defines=_with_given((*symbols.defines(), *symbols.plain_names(headers)), given.macros),
            headers=generated,
            exported_headers=tuple(symbols.headers(own=False)),
            api=listed.api,
            prefix="CRYPTO_",
            sizes=tuple(foreign.sizes),
            large_sizes=foreign.large_sizes,
            names=tuple((prefix + suffix, symbols.full + suffix) for suffix in foreign.functions),
            requires=tuple(sorted(_required(headers, native.operations) - {f"{listed.operation}/{listed.primitive}"})),
            oracles=oracles,
            vendored=vendored,
            overridden=tuple(name for name, _ in generated if (listed.folder / name).is_file()),
            renaming=renaming,
            without_context=without_context if renaming and without_context.is_file() else None,
        ),
    )


def _with_given(ours: tuple[str, ...], given: Iterable[str]) -> tuple[str, ...]:
    """Return our macros, and those of the makefile that do not define one of them."""
    names = {_macro_name(macro) for macro in ours}
    return (*ours, *(macro for macro in given if _macro_name(macro) not in names))


def _macro_name(macro: str) -> str:
    return re.split("[(=]", macro, maxsplit=1)[0]


def no_source(folder: Path, tree: ForeignTree) -> str:
    """Return that a folder has no source, and where below it there are some."""
    if others := with_suffixes(folder, _OTHER_SUFFIXES):
        return f"{_NO_SOURCE}; {printable(others[0].name)} is not taken for one, so rename it"
    below = next((path for path in tree.files(folder) if path.suffix in SOURCES and path.parent != folder), None)
    if not below:
        return _NO_SOURCE
    where = below.parent.relative_to(folder)
    return f"{_NO_SOURCE} beside its api.h, where those in {where}/ belong, or one that includes them"


def promises_constant_time(listed: ForeignImplementation) -> bool:
    """Return whether it makes both of SUPERCOP's promises: no branch and no address depends on a secret."""
    return all((listed.folder / f"goal-{goal}").exists() for goal in ("constbranch", "constindex"))


class _Names:
    """The symbols and macros of one implementation."""

    def __init__(self, listed: ForeignImplementation, tree: ForeignTree, foreign: ForeignOperation) -> None:
        self.listed = listed
        self.prototypes = foreign.functions
        self.suffixes = [*foreign.functions, *(f"_{size}" for size in foreign.sizes)]
        self.short = listed.operation
        self.long = re.sub(r"\W", "_", f"{listed.operation}_{listed.primitive}")
        text = f"{listed.operation}/{listed.primitive}/{listed.name}"
        if (tree.root / "MACROS").exists():  # newer trees include the promise about timing in the name
            text += "/constbranchindex" if promises_constant_time(listed) else "/timingleaks"
        self.full = re.sub(r"\W", "_", text)
        self.api = tree.text(listed.api)

    def defines(self) -> tuple[str, ...]:
        """Return the macros of the command line."""
        spaces = [
            f"{mark}CRYPTO_{kind}NAMESPACE(name)={mark}{self.full}_##name"
            for kind in ("", "SHARED_")
            for mark in ("", "_")
        ]
        tops = [f"{mark}CRYPTO_NAMESPACETOP={mark}{self.full}" for mark in ("", "_")]
        return ("SUPERCOP", *tops, *spaces, "CRYPTO_ALIGN(n)=__attribute__((aligned(n)))")

    def plain_names(self, included: Iterable[str]) -> tuple[str, ...]:
        """Return the macros that rename the functions of sources which include no generated header."""
        renaming = {f"{name}.h" for name in (self.short, self.long)}
        if renaming & {Path(name).name for name in included}:
            return ()
        return tuple(f"{self.short}{suffix}={self.full}{suffix}" for suffix in self.prototypes)

    def headers(self, own: bool) -> Iterator[tuple[str, str]]:
        """Yield crypto_<operation>_<primitive>.h and, for its own sources, crypto_<operation>.h."""
        for public in ("", "_publicinputs"):
            name = self.long + public
            yield f"{name}.h", self._exported(name)
        if own:
            macros = [self.short + suffix for suffix in self.suffixes]
            lines = [f"#define {m} {self.long}{m.removeprefix(self.short)}" for m in macros]
            lines += [f'#define {self.short}_PRIMITIVE "{self.listed.primitive}"']
            lines += [f"#define {self.short}_{x} {self.long}_{x}" for x in ("IMPLEMENTATION", "VERSION")]
            yield f"{self.short}.h", _guarded(self.short, f'#include "{self.long}.h"\n' + "\n".join(lines))

    def _exported(self, name: str) -> str:
        api = re.sub(r"(?<=[ \t])CRYPTO_", f"{self.full}_", self.api)
        prototypes = [prototype.replace("@", self.full + suffix) for suffix, prototype in self.prototypes.items()]
        text = [api, "#ifdef __cplusplus", 'extern "C" {', "#endif", *prototypes]
        text += ["#ifdef __cplusplus", "}", "#endif"]
        text += [f"#define {name}{suffix} {self.full}{suffix}" for suffix in self.suffixes]
        text += [f'#define {name}_IMPLEMENTATION "{self.short}/{self.listed.primitive}/{self.listed.name}"']
        text += [f"#ifndef {self.full}_VERSION", f'#define {self.full}_VERSION "-"', "#endif"]
        text += [f"#define {name}_VERSION {self.full}_VERSION"]
        return _guarded(name, "\n".join(text))


def _renaming(folders: Iterable[Path], symbols: _Names, tree: ForeignTree) -> Iterator[Path]:
    """Yield the headers in the folders that give functions of the API other names, by macros that are not ours."""
    functions = "|".join(symbols.short + suffix for suffix in symbols.prototypes)
    pattern = rf"^[ \t]*#[ \t]*define[ \t]+(?:{functions})[ \t]+(?![ \t]|_?CRYPTO_)"
    defined = re.compile(pattern.encode(), re.MULTILINE)
    for folder in dict.fromkeys(folders):
        headers = (
            path for path in with_suffixes(folder, (".h",)) if _HEADER.fullmatch(path.name) and tree.is_file(path)
        )
        yield from (path for path in headers if defined.search(tree.content(path)))


def _guarded(name: str, text: str) -> str:
    return f"#ifndef {name}_H\n#define {name}_H\n{text}\n#endif\n"


def _includes(folder: Path, tree: ForeignTree) -> Iterator[str]:
    """Yield the names of the headers that any source file below the folder includes."""
    for path in tree.files(folder):
        if path.suffix in TEXTS:
            yield from included(tree.content(path))


def _required(headers: Iterable[str], operations: Container[str]) -> set[str]:
    """Return the primitives whose headers are included: crypto_hash_sha256.h -> crypto_hash/sha256."""
    keys = set()
    for name in headers:
        words = Path(name).name.removesuffix(".h").removesuffix("_publicinputs").split("_", 2)
        if len(words) == 3 and "_".join(words[:2]) in operations:
            keys.add(f"crypto_{words[1]}/{words[2]}")
    return keys


def _checksum_sources(listed: ForeignImplementation, adapter: Path) -> tuple[Path, ...]:
    folder = adapter / "checksum"
    return folder / "oracle.c", folder / "checksum.c", folder / f"{listed.operation}.c"


def _checksum_macros(listed: ForeignImplementation) -> Iterator[tuple[str, str]]:
    """Yield macros for the variants of a test that the tree has: checksum/crypto_core.c."""
    for name, macro in (("test-loops.inc", "CHECKSUM_LOOPS"), ("test-more.inc", "CHECKSUM_WEIGHTS")):
        if (_primitive_folder(listed) / "supercop" / name).exists():
            yield macro, "1"


def _primitive_folder(listed: ForeignImplementation) -> Path:
    return listed.folder.parents[len(Path(listed.name).parts) - 1]


def _oracles(
    listed: ForeignImplementation, tree: ForeignTree, adapter: Path, foreign: ForeignOperation
) -> list[Oracle]:
    """Return the checksums and their expected values.

    If a primitive has none, its implementations are only required to agree in the first checksum.
    """
    current = (tree.root / "MACROS").exists()
    if not _checksum_sources(listed, adapter)[1].is_file():
        return []
    if not current and not foreign.checksums_of_2016:
        return []  # computed from the random bytes of 2016, which differ
    files = {name: _primitive_folder(listed) / name for name in (_SMALL, _BIG)}
    known = {name: tree.text(file, MAX_LINE_FILE).strip() for name, file in files.items() if os.path.lexists(file)}
    if not known and current:
        known = {_SMALL: ""}
    return [
        Oracle(name=name, expected=expected, is_checksum=True, is_long=name == _BIG) for name, expected in known.items()
    ]
