# SPDX-License-Identifier: MIT OR Apache-2.0
"""Packages of NIST's calls for submissions, and a folder of one implementation that stands alone.

    crypto_<operation>/<name>/<implementation>/api.h beside LWC_..._KAT_....txt, also of several
        packages side by side
    Reference_Implementation/.../api.h, ... beside KAT/*.rsp
    a folder with an api.h and sources, or a folder of such, <name>/<implementation>/ or <implementation>/

Functions have plain names (crypto_kem_enc); besides, SUPERCOP's adapter serves them all.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer.discover.foreign import pqclean, supercop
from cyclometer.discover.foreign._tree import (
    ForeignImplementation,
    ForeignTree,
    NativeTree,
    ancestors,
    has_main,
    included,
)
from cyclometer.records.catalogue import ForeignOperation, Implementation
from cyclometer.records.failure import Failure
from cyclometer.vectors.nist_kat import operation_of

EXPECTED = (
    "folders crypto_<operation>/<name>/ with LWC_*_KAT_*.txt, a folder KAT with *.rsp beside "
    "Reference_Implementation, or an api.h and sources in the folder itself or one or two levels below"
)
ADAPTER = "supercop"

_LIGHTWEIGHT = "crypto_*/*/LWC_*_KAT_*.txt"
RECORDS = 3  # of a .rsp that are asked: the first
_NOT_PART_OF_IT = ("PQCgenKAT", "genkat", "lwc_crypto_")  # NIST's generators and the wrappers of its benchmark
_DEPTH = 5  # of folders below a package in which implementations are looked for
_RANDOM_BYTES = re.compile(rb"\brandombytes\s*\(")
_API_FUNCTION = re.compile(rb"^\s*(?:int|void)\s+crypto_\w+\s*\([^;]*?\{", re.MULTILINE)
_ALGORITHM = re.compile(r'^\s*#\s*define\s+CRYPTO_ALGNAME\s+"([^"]*)"', re.MULTILINE)


def recognise(folder: Path) -> ForeignTree | None:
    """A package, a part of one, one implementation, or a folder of some."""
    for home in ancestors(folder):
        if next(home.glob(_LIGHTWEIGHT), None):
            return ForeignTree(kind="nist", root=home, part=folder, label=f"NIST lightweight package {home.name}")
        inside = home / "Implementations"  # of the package as it was handed in
        if next(inside.glob(_LIGHTWEIGHT), None):
            part = inside if folder == home else folder
            return ForeignTree(kind="nist", root=inside, part=part, label=f"NIST lightweight package {home.name}")
        if next(home.glob("*_Implementation*"), None) and next(home.glob("KAT/**/*.rsp"), None):
            return ForeignTree(kind="nist", root=home, part=folder, label=f"NIST post-quantum package {home.name}")
    if _packages(folder):
        return ForeignTree(kind="nist", root=folder, part=folder, label=f"NIST lightweight packages in {folder.name}")
    return _without_package(folder)


def _without_package(folder: Path) -> ForeignTree | None:
    """One implementation, or some in folders of their own."""
    if supercop.recognise(folder) or pqclean.recognise(folder):
        return None
    if (folder / "api.h").is_file():
        return ForeignTree(kind="nist", root=folder, part=folder, label=f"implementation {folder.name}")
    if any(next(folder.glob(f"{below}/api.h"), None) for below in ("*", "*/*")):
        return ForeignTree(kind="nist", root=folder, part=folder, label=f"implementations in {folder.name}")
    return None


def _packages(root: Path) -> list[Path]:
    """Packages of the lightweight call: the folder, those in it, those in its folders."""
    homes = [root, *sorted(root.glob("*/")), *sorted(root.glob("*/*/"))]
    return [home for home in homes if next(home.glob(_LIGHTWEIGHT), None)]


def listing(found: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """Every folder with an api.h. Of packages that do not say the operation by names, that file is read."""
    if packages := _packages(found.root):
        return [one for home in packages for one in supercop.listing(replace(found, root=home), native)]
    listed = []
    handed_in = next(found.root.glob("*_Implementation*"), None) is not None
    one_primitive = next(found.root.glob("*_Implementation*/api.h" if handed_in else "*/api.h"), None) is not None
    for api in sorted(_api_files(found.root)):
        folder = api.parent
        if not found.concerns(folder):
            continue
        parts = folder.relative_to(found.root).parts or (found.root.name,)
        if one_primitive or len(parts) == 1:
            primitive, name = found.root.name, "/".join(parts)
        elif handed_in:  # Reference_Implementation/kyber512
            primitive, name = parts[-1], "/".join(parts[:-1])
        else:
            primitive, name = parts[0], "/".join(parts[1:])
        operation = _operation(folder, native)
        skip_reason = supercop.unfit(folder, native) if operation else _unknown(folder)
        listed.append(
            ForeignImplementation(
                operation=operation or "crypto_unknown",
                primitive=_plain(primitive),
                name=_plain(name),
                folder=folder,
                skip_reason=skip_reason,
            )
        )
    return listed


def _api_files(root: Path) -> Iterator[Path]:
    for depth in range(_DEPTH):
        yield from (api for api in root.glob("/".join((*("*",) * depth, "api.h"))) if api.is_file())


def _plain(name: str) -> str:
    """Without what no symbol and no command line should have."""
    return re.sub(r"[^A-Za-z0-9_./-]", "-", name)


def _operation(folder: Path, native: NativeTree) -> str:
    """Of which all required functions are named in the sources, else in what they include; else the one whose header
    crypto_....h is included; else the only one with the sizes of the api.h. '' where there is none."""
    api = (folder / "api.h").read_text(encoding="utf-8", errors="replace")
    sizes = set(re.findall(r"^\s*#\s*define\s+CRYPTO_(\w*BYTES)\b", api, re.MULTILINE))
    texts = [path for path in sorted(folder.rglob("*")) if path.suffix in supercop.TEXTS and path.is_file()]
    sources = _sources(folder)
    for paths in (sources, [path for path in texts if path not in sources]):
        text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in paths)
        if named := _named(api + text, sizes, native):
            return named
    headers = {name for path in texts for name in included(path.read_bytes())}
    own = [name for name in native.operations if f"{name}.h" in headers]
    sized = [name for name in native.operations if len(sizes) > 1 and _has_sizes(native.names(name), sizes)]
    return next((fitting[0] for fitting in (own, sized) if len(fitting) == 1), "")


def _named(text: str, sizes: set[str], native: NativeTree) -> str:
    """The operation of which all required functions are named: the one with the most of them, then the one whose
    sizes fit best."""
    named = set(re.findall(r"\b(crypto_\w+)\s*\(", text))
    fitting = {}
    for name in native.operations:
        foreign = native.names(name)
        if all(name + suffix in named for suffix in foreign.required_functions):
            fitting[name] = (len(foreign.required_functions), -len(sizes ^ set(foreign.sizes)))
    return max(fitting, key=lambda name: fitting[name], default="")


def _has_sizes(foreign: ForeignOperation, sizes: set[str]) -> bool:
    """Whether an api.h with these sizes, and no others, may be one of the operation's."""
    return set(foreign.sizes) - set(foreign.optional_sizes) <= sizes <= set(foreign.sizes)


def _unknown(folder: Path) -> str:
    """Why no operation is found."""
    why = "defines the functions of no operation that is known here"
    if b"PQCLEAN_" in (folder / "api.h").read_bytes():
        why += " (PQClean's names: it stands on common/ and META.yml of its tree, so name its folder in that tree)"
    return why


def _sources(folder: Path) -> list[Path]:
    """Of the implementation; what NIST adds (generators, random bytes) is not part of it."""
    found = [path for path in sorted(folder.iterdir()) if path.suffix in supercop.SOURCES and path.is_file()]
    named = [path for path in found if not path.name.startswith(_NOT_PART_OF_IT) and not _is_nists_rng(path)]
    return [path for path in named if not _is_program(path.read_bytes())]


def _is_nists_rng(path: Path) -> bool:
    """Others have a generator of their own in a file of that name."""
    header = path.with_suffix(".h")
    return path.name == "rng.c" and bool(_RANDOM_BYTES.search((header if header.is_file() else path).read_bytes()))


def _is_program(text: bytes) -> bool:
    """Has a main and defines nothing of the API."""
    return has_main(text) and not _API_FUNCTION.search(text)


def vectors(one: ForeignImplementation, native: NativeTree) -> tuple[Path, ...]:
    """The known answers of NIST's lightweight call, in the primitive's folder."""
    places = [folder for folder in (one.folder, *one.folder.parents[:2])]
    files = [sorted(place.glob("LWC_*_KAT_*.txt")) for place in places]
    nearest = next(filter(None, files), [])
    return tuple(path for path in nearest if operation_of(path, native.operations) == one.operation)


def load(one: ForeignImplementation, found: ForeignTree, adapter: Path, native: NativeTree) -> Implementation | Failure:
    """As SUPERCOP's, but with plain names, and with what NIST's rng.h declares."""
    made = supercop.load(one, found, adapter, native)
    if isinstance(made, Failure):
        return made
    assert made.foreign
    sources = _sources(one.folder)
    if not sources:
        return one.failure(supercop.NO_SOURCE)
    foreign = native.names(one.operation)
    symbols = [symbol for _, symbol in made.foreign.names]
    renamed = [f"{one.operation}{suffix}={symbol}" for suffix, symbol in zip(foreign.functions, symbols, strict=True)]
    folders, known = (*made.foreign.folders, adapter.parent / "nist" / "include"), adapter.parent / "_nist_kat"
    if "rng.h" in _headers(one.folder) and not any(path.name == "rng.c" for path in sources):
        nist, aes = adapter.parent / "nist", adapter.parent.parent / "primitives"
        sources.append(nist / "rng" / "rng.c")
        folders += (nist / "rng", aes / "crypto_blockcipher" / "_aes", aes / "crypto_stream" / "_aes")
        renamed.append("randombytes=nist_randombytes")
    answers = tuple(known / name for name in ("rng.c", "kat.c", f"{one.operation}.c"))
    oracle = tuple(_records(one, foreign.kat_fields)) if answers[-1].is_file() else ()
    glue = (*(path for path in made.glue if path.parent.name != "checksum"), *answers) if oracle else made.glue
    return replace(
        made,
        sources=tuple(sources),
        glue=glue,
        foreign=replace(
            made.foreign,
            folders=folders,
            defines=(*made.foreign.defines, *renamed),
            oracle=oracle or made.foreign.oracle,
            overridden=(),  # the package's own headers were written for plain names
        ),
    )


def _headers(folder: Path) -> set[str]:
    texts = [path.read_bytes() for path in folder.iterdir() if path.suffix in supercop.TEXTS]
    return {Path(name).name for text in texts for name in included(text)}


def _records(one: ForeignImplementation, fields: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The first records of the package's .rsp for this algorithm: what is asked, what must be answered."""
    named = _ALGORITHM.search((one.folder / "api.h").read_text(encoding="utf-8", errors="replace"))
    if not fields or not named:
        return
    for file in _responses(one.folder):
        with file.open(encoding="ascii", errors="replace") as lines:
            if next(lines, "").strip().removeprefix("#").strip() != named[1]:
                continue
            for _ in range(RECORDS):
                record = _record(lines)
                if tuple(record) != tuple(fields):
                    return
                message = f" {record['msg'].lower()}" if int(record.get("mlen") or 0) else ""
                text = "".join(f"{name} = {value}\n" for name, value in record.items())
                digest = hashlib.sha256(text.encode()).hexdigest()
                yield f"record drbg {record['count']} {record['seed'].lower()}{message}", f"sha256 {digest}"
        return


def _responses(folder: Path) -> list[Path]:
    """The .rsp files of the nearest folder above that has any."""
    for home in ancestors(folder):
        found = [*sorted(home.glob("*.rsp")), *sorted(home.glob("KAT/**/*.rsp"))]
        if found:
            return found
    return []


def _record(lines: Iterator[str]) -> dict[str, str]:
    """The fields up to the next empty line, those before the first field left out."""
    record: dict[str, str] = {}
    for line in lines:
        name, equals, value = (word.strip() for word in line.partition("="))
        if equals:
            record[name] = value
        elif record:
            break
    return record
