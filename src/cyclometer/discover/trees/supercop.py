# SPDX-License-Identifier: MIT OR Apache-2.0
"""SUPERCOP trees: crypto_<operation>/<primitive>/<implementation>/api.h.

Names, generated headers and the rule that an include is a dependency are as in SUPERCOP 20260330 and,
for older trees, 20160716; https://bench.cr.yp.to/call-hash.html and its siblings describe the functions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from cyclometer.discover.trees import _libraries
from cyclometer.discover.trees.found import Found, Listed, ancestors, included, machine_name
from cyclometer.model import Failure, Foreign, Implementation

LOOKED_FOR = "folders crypto_<operation>/<primitive>/<implementation> with an api.h"

SOURCES = (".c", ".cc", ".cpp", ".S", ".s")
TEXTS = (*SOURCES, ".h", ".inc", ".hpp")
NO_SOURCE = "has no source file (.c, .cc, .cpp, .S)"
_FOREIGN_API = {"crypto_aead": "foreign_aead"}  # operations whose functions the adapter renames for our own API
_SAME_IN_OLD_TREES = ("crypto_hash", "crypto_stream", "crypto_auth", "crypto_onetimeauth")  # their checksums
_CHECKSUMS = ("checksumsmall", "checksumbig")


def recognise(folder: Path) -> Found | None:
    """A whole tree, or a folder crypto_.../ of one, or something below it."""
    for home in ancestors(folder):
        if home.name.startswith("crypto_") and _is_operation(home):
            return Found(kind="supercop", root=home.parent, part=folder, label=_label(home.parent))
    if any(_is_operation(home) for home in folder.glob("crypto_*")):
        return Found(kind="supercop", root=folder, part=folder, label=_label(folder))
    return None


def _is_operation(folder: Path) -> bool:
    """Has implementations in folders of primitives. A copy of one primitive may be called crypto_hash_sha256."""
    deep = (home for home in _implementations(folder, 3) if home.parent not in (folder, folder.parent))
    return folder.name.count("_") == 1 and folder.is_dir() and next(deep, None) is not None


def _label(root: Path) -> str:
    version = root / "version"
    return f"SUPERCOP {version.read_text(errors='replace').strip()}" if version.is_file() else f"tree {root.name}"


def listing(found: Found) -> list[Listed]:
    """Every folder with an api.h below crypto_<operation>/<primitive>."""
    listed = []
    for operation in sorted(path for path in found.root.glob("crypto_*") if path.is_dir()):
        for folder in sorted(_implementations(operation, 6)):
            relative = folder.relative_to(operation).parts
            if len(relative) > 1 and found.concerns(folder):
                listed.append(_listed(operation.name, relative, folder))
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


def _listed(operation: str, relative: tuple[str, ...], folder: Path) -> Listed:
    return Listed(
        operation=operation,
        primitive=relative[0],
        name="/".join(relative[1:]),
        folder=folder,
        left_out=unfit(folder),
    )


def unfit(folder: Path) -> str:
    """Why an implementation cannot be used here, or ''."""
    if (folder / "Cargo.toml").exists():
        return "is written in Rust"
    try:
        wanted = (folder / "architectures").read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return ""
    if wanted and machine_name() not in wanted:
        return f"for {', '.join(wanted)} only"
    return ""


def load(one: Listed, found: Found, adapter: Path) -> Implementation | Failure:
    """What the build needs of an implementation."""
    sources = sorted(path for path in one.folder.iterdir() if path.suffix in SOURCES)
    if not sources:
        return one.failure(NO_SOURCE)
    if dangling := [path.name for path in sources if not path.is_file()]:
        return one.failure(f"{dangling[0]} is a link to nothing")
    names, oracle = _Names(one, found.root), tuple(_oracle(one, found.root, adapter))
    generated = tuple(names.headers(own=True))
    headers = set(_includes(one.folder))
    libraries = _libraries.wanted(headers, adapter)
    carried = tuple(_libraries.carried(libraries, found.root, adapter))
    for own in carried:
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
        glue=_glue(one, adapter, bool(oracle)),
        macros=tuple(_checksum_macros(one)),
        constant_time=True if promises_constant_time(one) else None,  # there is no way to say that it is not
        foreign=Foreign(
            tree=found.root,
            home=one.folder,
            folders=(adapter / "include",),
            defines=names.defines(),
            headers=generated,
            published=tuple(names.headers(own=False)),
            api=one.folder / "api.h",
            prefix="CRYPTO_",
            names=tuple(names.functions()),
            requires=tuple(sorted(_required(headers) - {f"{one.operation}/{one.primitive}"})),
            oracle=oracle,
            carried=carried,
            replaced=tuple(name for name, _ in generated if (one.folder / name).is_file()),
        ),
    )


def promises_constant_time(one: Listed) -> bool:
    """Both of SUPERCOP's promises: no branch and no address that depends on a secret."""
    return all((one.folder / f"goal-{goal}").exists() for goal in ("constbranch", "constindex"))


class _Names:
    """The symbols and macros by which one implementation is known."""

    def __init__(self, one: Listed, root: Path) -> None:
        self.one = one
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

    def functions(self) -> Iterator[tuple[str, str]]:
        """Our name of a function -> its symbol."""
        ours = _FOREIGN_API.get(self.short, self.short)
        for suffix in FUNCTIONS.get(self.short, {}):
            yield ours + suffix, self.full + suffix

    def headers(self, own: bool) -> Iterator[tuple[str, str]]:
        """crypto_<operation>_<primitive>.h and, for its own sources, crypto_<operation>.h."""
        for public in ("", "_publicinputs"):
            name = self.long + public
            yield f"{name}.h", self._published(name)
        if own:
            macros = [self.short + suffix for suffix in _suffixes(self.short)]
            lines = [f"#define {m} {self.long}{m.removeprefix(self.short)}" for m in macros]
            lines += [f'#define {self.short}_PRIMITIVE "{self.one.primitive}"']
            lines += [f"#define {self.short}_{x} {self.long}_{x}" for x in ("IMPLEMENTATION", "VERSION")]
            yield f"{self.short}.h", _guarded(self.short, f'#include "{self.long}.h"\n' + "\n".join(lines))

    def _published(self, name: str) -> str:
        api = re.sub(r"(?<=[ \t])CRYPTO_", f"{self.full}_", self.api)
        prototypes = [
            prototype.replace("@", self.full + suffix) for suffix, prototype in FUNCTIONS.get(self.short, {}).items()
        ]
        text = [api, "#ifdef __cplusplus", 'extern "C" {', "#endif", *prototypes]
        text += ["#ifdef __cplusplus", "}", "#endif"]
        text += [f"#define {name}{suffix} {self.full}{suffix}" for suffix in _suffixes(self.short)]
        text += [f'#define {name}_IMPLEMENTATION "{self.short}/{self.one.primitive}/{self.one.name}"']
        text += [f"#ifndef {self.full}_VERSION", f'#define {self.full}_VERSION "-"', "#endif"]
        text += [f"#define {name}_VERSION {self.full}_VERSION"]
        return _guarded(name, "\n".join(text))


def _guarded(name: str, text: str) -> str:
    return f"#ifndef {name}_H\n#define {name}_H\n{text}\n#endif\n"


def _suffixes(operation: str) -> list[str]:
    return [*FUNCTIONS.get(operation, {}), *(f"_{size}" for size in SIZES.get(operation, ()))]


def _includes(folder: Path) -> Iterator[str]:
    """Of every text below the folder."""
    for path in folder.rglob("*"):
        if path.suffix in TEXTS and path.is_file():
            yield from included(path.read_bytes())


def _required(headers: Iterable[str]) -> set[str]:
    """crypto_hash_sha256.h -> crypto_hash/sha256."""
    found = set()
    for name in headers:
        words = Path(name).name.removesuffix(".h").removesuffix("_publicinputs").split("_", 2)
        if len(words) == 3 and "_".join(words[:2]) in FUNCTIONS:
            found.add(f"crypto_{words[1]}/{words[2]}")
    return found


def _glue(one: Listed, adapter: Path, oracle: bool) -> tuple[Path, ...]:
    candidates = (
        adapter / "support.c",
        adapter / one.operation / f"{one.operation}.c",
        *(adapter / "checksum" / name for name in ("checksum.c", f"{one.operation}.c") if oracle),
    )
    return tuple(path for path in candidates if path.is_file())


def _checksum_macros(one: Listed) -> Iterator[tuple[str, str]]:
    """Where the tree has its own variant of a test: checksum/crypto_core.c."""
    for name, macro in (("test-loops.inc", "CHECKSUM_LOOPS"), ("test-more.inc", "CHECKSUM_WEIGHTS")):
        if (_primitive_folder(one) / "supercop" / name).exists():
            yield macro, "1"


def _primitive_folder(one: Listed) -> Path:
    return one.folder.parents[len(Path(one.name).parts) - 1]


def _oracle(one: Listed, root: Path, adapter: Path) -> list[tuple[str, str]]:
    """Sums and what they must be; of a primitive without, the sum in which its implementations must agree."""
    today = (root / "MACROS").exists()
    if not (adapter / "checksum" / f"{one.operation}.c").is_file():
        return []
    if not today and one.operation not in _SAME_IN_OLD_TREES:
        return []  # other random bytes, of 2016
    files = [_primitive_folder(one) / name for name in _CHECKSUMS]
    known = [(f.name, f.read_text(encoding="ascii", errors="replace").strip()) for f in files if f.is_file()]
    return known or ([(_CHECKSUMS[0], "")] if today else [])


_U8, _IN, _LEN = "unsigned char *", "const unsigned char *", "unsigned long long"
_SECRETBOX = f"int @({_U8},{_IN},{_LEN},{_IN},{_IN});"
_BOX = f"int @({_U8},{_IN},{_LEN},{_IN},{_IN},{_IN});"
_PAIR = f"int @({_U8},{_U8});"
_VERIFIER = f"int @({_IN},{_IN},{_LEN},{_IN});"
_TAGGER = f"int @({_U8},{_IN},{_LEN},{_IN});"
_LENGTHENER = f"int @({_U8},{_LEN} *,{_IN},{_LEN},{_IN});"

# operation -> suffix of the function -> prototype, @ being its name
FUNCTIONS: dict[str, dict[str, str]] = {
    "crypto_verify": {"": f"int @({_IN},{_IN});"},
    "crypto_decode": {"": f"void @(void *,{_IN});"},
    "crypto_encode": {"": f"void @({_U8},const void *);"},
    "crypto_sort": {"": "void @(void *,long long);"},
    "crypto_core": {"": f"int @({_U8},{_IN},{_IN},{_IN});"},
    "crypto_hashblocks": {"": f"int @({_U8},{_IN},{_LEN});"},
    "crypto_xof": {"": f"int @({_U8},long long,{_IN},long long);"},
    "crypto_hash": {"": f"int @({_U8},{_IN},{_LEN});"},
    "crypto_stream": {
        "": f"int @({_U8},{_LEN},{_IN},{_IN});",
        "_xor": _SECRETBOX,
        "_beforenm": f"int @({_U8},{_IN});",
        "_afternm": f"int @({_U8},{_LEN},{_IN},{_IN});",
        "_xor_afternm": _SECRETBOX,
    },
    "crypto_onetimeauth": {"": _TAGGER, "_verify": _VERIFIER},
    "crypto_auth": {"": _TAGGER, "_verify": _VERIFIER},
    "crypto_secretbox": {"": _SECRETBOX, "_open": _SECRETBOX},
    "crypto_aead": {
        "_encrypt": f"int @({_U8},{_LEN} *,{_IN},{_LEN},{_IN},{_LEN},{_IN},{_IN},{_IN});",
        "_decrypt": f"int @({_U8},{_LEN} *,{_U8},{_IN},{_LEN},{_IN},{_LEN},{_IN},{_IN});",
    },
    "crypto_rng": {"": f"int @({_U8},{_U8},{_IN});"},
    "crypto_scalarmult": {"": f"int @({_U8},{_IN},{_IN});", "_base": f"int @({_U8},{_IN});"},
    "crypto_box": {
        "": _BOX,
        "_open": _BOX,
        "_keypair": _PAIR,
        "_beforenm": f"int @({_U8},{_IN},{_IN});",
        "_afternm": _SECRETBOX,
        "_open_afternm": _SECRETBOX,
    },
    "crypto_dh": {"_keypair": _PAIR, "": f"int @({_U8},{_IN},{_IN});"},
    "crypto_sign": {"_keypair": _PAIR, "": _LENGTHENER, "_open": _LENGTHENER},
    "crypto_kem": {"_keypair": _PAIR, "_enc": f"int @({_U8},{_U8},{_IN});", "_dec": f"int @({_U8},{_IN},{_IN});"},
    "crypto_encrypt": {"_keypair": _PAIR, "": _LENGTHENER, "_open": _LENGTHENER},
}

SIZES = {
    operation: sizes.split()
    for operation, sizes in {
        "crypto_verify": "BYTES",
        "crypto_decode": "STRBYTES ITEMS ITEMBYTES",
        "crypto_encode": "STRBYTES ITEMS ITEMBYTES",
        "crypto_sort": "BYTES",
        "crypto_core": "OUTPUTBYTES INPUTBYTES KEYBYTES CONSTBYTES",
        "crypto_hashblocks": "STATEBYTES BLOCKBYTES",
        "crypto_xof": "NOOVERLAP",
        "crypto_hash": "BYTES",
        "crypto_stream": "KEYBYTES NONCEBYTES BEFORENMBYTES",
        "crypto_onetimeauth": "BYTES KEYBYTES",
        "crypto_auth": "BYTES KEYBYTES",
        "crypto_secretbox": "KEYBYTES NONCEBYTES ZEROBYTES BOXZEROBYTES",
        "crypto_aead": "KEYBYTES NSECBYTES NPUBBYTES ABYTES NOOVERLAP",
        "crypto_rng": "KEYBYTES OUTPUTBYTES",
        "crypto_scalarmult": "BYTES SCALARBYTES",
        "crypto_box": "PUBLICKEYBYTES SECRETKEYBYTES BEFORENMBYTES NONCEBYTES ZEROBYTES BOXZEROBYTES",
        "crypto_dh": "BYTES PUBLICKEYBYTES SECRETKEYBYTES",
        "crypto_sign": "BYTES PUBLICKEYBYTES SECRETKEYBYTES DETERMINISTIC",
        "crypto_kem": "BYTES PUBLICKEYBYTES SECRETKEYBYTES CIPHERTEXTBYTES",
        "crypto_encrypt": "BYTES PUBLICKEYBYTES SECRETKEYBYTES",
    }.items()
}
