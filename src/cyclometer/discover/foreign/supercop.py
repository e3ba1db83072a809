# SPDX-License-Identifier: MIT OR Apache-2.0
"""SUPERCOP trees: crypto_<operation>/<primitive>/<implementation>/api.h.

Names, generated headers and the rule that an include is a dependency are as in SUPERCOP 20260330 and,
for older trees, 20160716; https://bench.cr.yp.to/call-hash.html and its siblings describe the functions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from cyclometer.discover.foreign import _libraries
from cyclometer.discover.foreign._tree import (
    ForeignImplementation,
    ForeignTree,
    NativeTree,
    adapted,
    ancestors,
    included,
)
from cyclometer.records.catalogue import Foreign, ForeignOperation, Implementation
from cyclometer.records.failure import Failure

EXPECTED = "folders crypto_<operation>/<primitive>/<implementation> with an api.h"

SOURCES = (".c", ".cc", ".cpp", ".S", ".s")
TEXTS = (*SOURCES, ".h", ".inc", ".hpp")
NO_SOURCE = "has no source file (.c, .cc, .cpp, .S)"
_CHECKSUMS = ("checksumsmall", "checksumbig")


def recognise(folder: Path) -> ForeignTree | None:
    """A whole tree, or a folder crypto_.../ of one, or something below it."""
    for home in ancestors(folder):
        if home.name.startswith("crypto_") and _is_operation(home):
            return ForeignTree(kind="supercop", root=home.parent, part=folder, label=_label(home.parent))
    if any(_is_operation(home) for home in folder.glob("crypto_*")):
        return ForeignTree(kind="supercop", root=folder, part=folder, label=_label(folder))
    return None


def _is_operation(folder: Path) -> bool:
    """Has implementations in folders of primitives. A copy of one primitive may be called crypto_hash_sha256."""
    deep = (home for home in _implementations(folder, 3) if home.parent not in (folder, folder.parent))
    return folder.name.count("_") == 1 and folder.is_dir() and next(deep, None) is not None


def _label(root: Path) -> str:
    version = root / "version"
    return f"SUPERCOP {version.read_text(errors='replace').strip()}" if version.is_file() else f"tree {root.name}"


def listing(found: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """Every folder with an api.h below crypto_<operation>/<primitive>."""
    listed = []
    for operation in sorted(path for path in found.root.glob("crypto_*") if path.is_dir()):
        for folder in sorted(_implementations(operation, 6)):
            relative = folder.relative_to(operation).parts
            if len(relative) > 1 and found.concerns(folder):
                listed.append(_listed(operation.name, relative, folder, native))
    return listed


def _implementations(folder: Path, depth: int) -> Iterator[Path]:
    """Folders with an api.h, not deeper than so many levels; symbolic links are followed."""
    with os.scandir(folder) as entries:
        inside = list(entries)
    if any(entry.name == "api.h" for entry in inside):
        yield folder
    elif depth:
        for entry in inside:
            if entry.name[0] != "." and entry.is_dir():
                yield from _implementations(folder / entry.name, depth - 1)


def _listed(operation: str, relative: tuple[str, ...], folder: Path, native: NativeTree) -> ForeignImplementation:
    return ForeignImplementation(
        operation=operation,
        primitive=relative[0],
        name="/".join(relative[1:]),
        folder=folder,
        skip_reason=unfit(folder, native),
    )


def unfit(folder: Path, native: NativeTree) -> str:
    """Why an implementation cannot be used here, or ''."""
    if (folder / "Cargo.toml").exists():
        return "is written in Rust"
    try:
        wanted = (folder / "architectures").read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return ""
    if wanted and native.architecture.supercop not in wanted:
        return f"for {', '.join(wanted)} only"
    return ""


def load(one: ForeignImplementation, found: ForeignTree, adapter: Path, native: NativeTree) -> Implementation | Failure:
    """What the build needs of an implementation."""
    sources = sorted(path for path in one.folder.iterdir() if path.suffix in SOURCES)
    if not sources:
        return one.failure(NO_SOURCE)
    if dangling := [path.name for path in sources if not path.is_file()]:
        return one.failure(f"{dangling[0]} is a link to nothing")
    foreign = native.names(one.operation)
    calls, glue = adapted(one.operation, adapter)
    names, oracle = _Names(one, found.root, foreign), tuple(_oracle(one, found.root, adapter, foreign))
    generated = tuple(names.headers(own=True))
    headers = set(_includes(one.folder))
    libraries = _libraries.wanted(headers, adapter)
    own_libraries = tuple(_libraries.vendored(libraries, found.root, adapter))
    for own in own_libraries:
        libraries.pop(own.name, None)
    if lacking := _libraries.lacking(libraries):
        return one.failure(lacking)
    return Implementation(
        operation=one.operation,
        primitive=one.primitive,
        name=one.name,
        folders=tuple(path for path in (adapter / one.operation, adapter / "include") if path.is_dir()),
        sources=tuple(sources),
        packages=tuple(p for library in libraries.values() for p in library.packages),
        debian=" ".join(library.debian for library in libraries.values()),
        libraries=tuple(flag for library in libraries.values() for flag in library.link),
        glue=(adapter / "support.c", *glue, *(_checksum_sources(one, adapter) if oracle else ())),
        macros=tuple(_checksum_macros(one)),
        constant_time=True if promises_constant_time(one) else None,  # there is no way to say that it is not
        foreign=Foreign(
            tree=found.root,
            home=one.folder,
            folders=(adapter / "include",),
            defines=names.defines(),
            headers=generated,
            exported_headers=tuple(names.headers(own=False)),
            api=one.folder / "api.h",
            prefix="CRYPTO_",
            sizes=tuple(foreign.sizes),
            names=tuple((calls + suffix, names.full + suffix) for suffix in foreign.functions),
            requires=tuple(sorted(_required(headers, native.operations) - {f"{one.operation}/{one.primitive}"})),
            oracle=oracle,
            vendored=own_libraries,
            overridden=tuple(name for name, _ in generated if (one.folder / name).is_file()),
        ),
    )


def promises_constant_time(one: ForeignImplementation) -> bool:
    """Both of SUPERCOP's promises: no branch and no address that depends on a secret."""
    return all((one.folder / f"goal-{goal}").exists() for goal in ("constbranch", "constindex"))


class _Names:
    """The symbols and macros by which one implementation is known."""

    def __init__(self, one: ForeignImplementation, root: Path, foreign: ForeignOperation) -> None:
        self.one = one
        self.prototypes = foreign.functions
        self.suffixes = [*foreign.functions, *(f"_{size}" for size in foreign.sizes)]
        self.short = one.operation
        self.long = re.sub(r"[./-]", "_", f"{one.operation}_{one.primitive}")
        text = f"{one.operation}/{one.primitive}/{one.name}"
        if (root / "MACROS").exists():  # trees of today name the promise about timing as well
            text += "/constbranchindex" if promises_constant_time(one) else "/timingleaks"
        self.full = re.sub(r"[./-]", "_", text)
        self.api = (one.folder / "api.h").read_text(encoding="utf-8", errors="replace")

    def defines(self) -> tuple[str, ...]:
        """Macros of the command line."""
        spaces = [
            f"{mark}CRYPTO_{kind}NAMESPACE(name)={mark}{self.full}_##name"
            for kind in ("", "SHARED_")
            for mark in ("", "_")
        ]
        tops = [f"{mark}CRYPTO_NAMESPACETOP={mark}{self.full}" for mark in ("", "_")]
        return ("SUPERCOP", *tops, *spaces, "CRYPTO_ALIGN(n)=__attribute__((aligned(n)))")

    def headers(self, own: bool) -> Iterator[tuple[str, str]]:
        """crypto_<operation>_<primitive>.h and, for its own sources, crypto_<operation>.h."""
        for public in ("", "_publicinputs"):
            name = self.long + public
            yield f"{name}.h", self._published(name)
        if own:
            macros = [self.short + suffix for suffix in self.suffixes]
            lines = [f"#define {m} {self.long}{m.removeprefix(self.short)}" for m in macros]
            lines += [f'#define {self.short}_PRIMITIVE "{self.one.primitive}"']
            lines += [f"#define {self.short}_{x} {self.long}_{x}" for x in ("IMPLEMENTATION", "VERSION")]
            yield f"{self.short}.h", _guarded(self.short, f'#include "{self.long}.h"\n' + "\n".join(lines))

    def _published(self, name: str) -> str:
        api = re.sub(r"(?<=[ \t])CRYPTO_", f"{self.full}_", self.api)
        prototypes = [prototype.replace("@", self.full + suffix) for suffix, prototype in self.prototypes.items()]
        text = [api, "#ifdef __cplusplus", 'extern "C" {', "#endif", *prototypes]
        text += ["#ifdef __cplusplus", "}", "#endif"]
        text += [f"#define {name}{suffix} {self.full}{suffix}" for suffix in self.suffixes]
        text += [f'#define {name}_IMPLEMENTATION "{self.short}/{self.one.primitive}/{self.one.name}"']
        text += [f"#ifndef {self.full}_VERSION", f'#define {self.full}_VERSION "-"', "#endif"]
        text += [f"#define {name}_VERSION {self.full}_VERSION"]
        return _guarded(name, "\n".join(text))


def _guarded(name: str, text: str) -> str:
    return f"#ifndef {name}_H\n#define {name}_H\n{text}\n#endif\n"


def _includes(folder: Path) -> Iterator[str]:
    """Of every text below the folder."""
    for path in folder.rglob("*"):
        if path.suffix in TEXTS and path.is_file():
            yield from included(path.read_bytes())


def _required(headers: Iterable[str], operations: Container[str]) -> set[str]:
    """crypto_hash_sha256.h -> crypto_hash/sha256."""
    found = set()
    for name in headers:
        words = Path(name).name.removesuffix(".h").removesuffix("_publicinputs").split("_", 2)
        if len(words) == 3 and "_".join(words[:2]) in operations:
            found.add(f"crypto_{words[1]}/{words[2]}")
    return found


def _checksum_sources(one: ForeignImplementation, adapter: Path) -> tuple[Path, ...]:
    return adapter / "checksum" / "checksum.c", adapter / "checksum" / f"{one.operation}.c"


def _checksum_macros(one: ForeignImplementation) -> Iterator[tuple[str, str]]:
    """Where the tree has its own variant of a test: checksum/crypto_core.c."""
    for name, macro in (("test-loops.inc", "CHECKSUM_LOOPS"), ("test-more.inc", "CHECKSUM_WEIGHTS")):
        if (_primitive_folder(one) / "supercop" / name).exists():
            yield macro, "1"


def _primitive_folder(one: ForeignImplementation) -> Path:
    return one.folder.parents[len(Path(one.name).parts) - 1]


def _oracle(one: ForeignImplementation, root: Path, adapter: Path, foreign: ForeignOperation) -> list[tuple[str, str]]:
    """Sums and what they must be; of a primitive without, the sum in which its implementations must agree."""
    today = (root / "MACROS").exists()
    if not _checksum_sources(one, adapter)[1].is_file():
        return []
    if not today and not foreign.checksums_of_2016:
        return []  # other random bytes, of 2016
    files = [_primitive_folder(one) / name for name in _CHECKSUMS]
    known = [(f.name, f.read_text(encoding="ascii", errors="replace").strip()) for f in files if f.is_file()]
    return known or ([(_CHECKSUMS[0], "")] if today else [])
