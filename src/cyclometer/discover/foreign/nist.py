# SPDX-License-Identifier: MIT OR Apache-2.0
"""Packages of NIST's calls for submissions, and implementations without a package.

    crypto_<operation>/<name>/<implementation>/api.h beside LWC_..._KAT_....txt,
        in one package or several side by side
    Reference_Implementation/.../api.h, ... beside KAT/*.rsp
    a folder with an api.h and sources, or of such folders: <name>/<implementation>/ or <implementation>/

Functions have plain names (crypto_kem_enc); otherwise SUPERCOP's adapter serves them all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer.discover.foreign import pqclean, supercop
from cyclometer.discover.foreign._makefile import flags
from cyclometer.discover.foreign._nist_records import named_responses, records
from cyclometer.discover.foreign._parameter_sets import separated
from cyclometer.discover.foreign._tree import (
    ForeignImplementation,
    ForeignTree,
    NativeTree,
    ancestors,
    has_main,
    included,
    plain,
)
from cyclometer.errors import RefusedFile
from cyclometer.records.catalogue import ForeignOperation, Implementation
from cyclometer.records.failure import Failure
from cyclometer.untrusted import MAX_FILE, walk, with_suffixes
from cyclometer.vectors.nist_kat import operation_of

EXPECTED = (
    "folders crypto_<operation>/<name>/ with LWC_*_KAT_*.txt, a folder KAT with *.rsp beside "
    "Reference_Implementation, or an api.h and sources in the folder itself or one or two levels below"
)
ADAPTER = "supercop"
OWN_VECTORS = "vectors.json"  # in the format of docs/vectors.md

_HEADERS, _BESIDE = ("include", "inc"), ("lib", "src")  # folders of an api.h; of the sources beside such a folder
_LIGHTWEIGHT = "crypto_*/*/LWC_*_KAT_*.txt"
_GENERATORS, _WRAPPERS = ("PQCgenKAT", "genkat"), "lwc_crypto_"  # of NIST's answers; of its benchmark
_DEPTH = 5  # levels of folders below a package in which implementations are searched
_RANDOM_BYTES = re.compile(rb"\brandombytes\s{0,80}\(")
_API_FUNCTION = re.compile(rb"^[ \t]*(?:int|void)\s{1,80}crypto_\w{1,80}\s{0,80}\([^;{]{0,4000}\{", re.MULTILINE)
_SIZE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+CRYPTO_(\w{0,80}BYTES)\b", re.MULTILINE)
_CALL = re.compile(r"\b(crypto_\w{1,80})\s{0,80}\(")
_EXPORTED = re.compile(r"^[ \t]*\.globa?l[ \t]+(crypto_\w{1,80})", re.MULTILINE)  # by assembly


def recognise(folder: Path) -> ForeignTree | None:
    """Return the package that the folder is or is a part of, or a folder of implementations."""
    for home in ancestors(folder):
        if next(home.glob(_LIGHTWEIGHT), None):
            return ForeignTree(kind="nist", root=home, part=folder, label=f"NIST lightweight package {home.name}")
        inside = home / "Implementations"  # of the package as submitted
        if next(inside.glob(_LIGHTWEIGHT), None):
            part = inside if folder == home else folder
            return ForeignTree(kind="nist", root=inside, part=part, label=f"NIST lightweight package {home.name}")
        if next(home.glob("*_Implementation*"), None) and next(named_responses(home, home), None):
            return ForeignTree(kind="nist", root=home, part=folder, label=f"NIST post-quantum package {home.name}")
    if _packages(folder):
        return ForeignTree(kind="nist", root=folder, part=folder, label=f"NIST lightweight packages in {folder.name}")
    return _bare_implementations(folder)


def _bare_implementations(folder: Path) -> ForeignTree | None:
    """Return the folder if it is an implementation, or holds some in folders of their own."""
    if supercop.recognise(folder) or pqclean.recognise(folder):
        return None
    if os.path.lexists(folder / "api.h"):
        return ForeignTree(kind="nist", root=folder, part=folder, label=f"implementation {folder.name}")
    if any(next(folder.glob(f"{below}/api.h"), None) for below in ("*", "*/*")):
        return ForeignTree(kind="nist", root=folder, part=folder, label=f"implementations in {folder.name}")
    return None


def _packages(root: Path) -> list[Path]:
    """Return the packages of the lightweight call among the folder, its folders, and theirs."""
    candidates = sorted((home for home, _ in walk(root, 2)), key=lambda home: (len(home.parts), home))
    return [home for home in candidates if next(home.glob(_LIGHTWEIGHT), None)]


def listing(tree: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """List every folder with an api.h; if folder names do not give the operation, the sources do."""
    if packages := _packages(tree.root):
        return [listed for home in packages for listed in supercop.listing(replace(tree, root=home), native)]
    result = []
    is_submission = next(tree.root.glob("*_Implementation*"), None) is not None
    homes = {_home(api, tree): api for api in sorted(_api_files(tree.root))}
    above = [home.name for home in homes if home.parent == tree.root and home != tree.root]
    one_primitive = any("_Implementation" in name or not is_submission for name in above)
    for folder, api in sorted(homes.items()):
        parts = folder.relative_to(tree.root).parts or (tree.root.name,)
        if one_primitive or len(parts) == 1:
            primitive, name = tree.root.name, "/".join(parts)
        elif is_submission:  # Reference_Implementation/kyber512
            primitive, name = parts[-1], "/".join(parts[:-1])
        else:
            primitive, name = parts[0], "/".join(parts[1:])
        operation, skip_reason = _recognised(folder, api, tree, native)
        result.append(
            ForeignImplementation(
                operation=operation or "crypto_unknown",
                primitive=plain(primitive),
                name=plain(name),
                folder=folder,
                header=str(api.relative_to(folder)),
                skip_reason=skip_reason,
            )
        )
    # What is beside the selected part decides about its names, too.
    return [listed for listed in separated(result, tree) if tree.concerns(listed.folder)]


def _api_files(root: Path) -> Iterator[Path]:
    yield from (home / "api.h" for home, names in walk(root, _DEPTH - 1) if names and "api.h" in names)


def _home(api: Path, tree: ForeignTree) -> Path:
    """Return the implementation's folder: that of its api.h, or the one around include/ if the sources are there."""
    folder, around = api.parent, api.parent.parent
    if folder.name not in _HEADERS or folder == tree.root or os.path.lexists(around / "api.h"):
        return folder
    with_sources = [part for part in _parts(around, api, tree) if _has_source(part)]
    return around if with_sources and folder not in with_sources else folder


def _has_source(folder: Path) -> bool:
    """Return whether a folder has a source; one that cannot be read has none."""
    names = (name for _, names in walk(folder, 0) for name in names or ())
    return any(name.endswith(supercop.SOURCES) and name[0] != "." for name in names)


def _recognised(folder: Path, api: Path, tree: ForeignTree, native: NativeTree) -> tuple[str, str]:
    """Return the operation of an implementation or '', and why it cannot be used here or ''."""
    try:
        operation = _operation(folder, api, tree, native)
        return operation, supercop.skip_reason(folder, tree, native) if operation else _no_operation(api, tree)
    except (RefusedFile, OSError) as error:
        return "", str(error)


def _operation(folder: Path, header: Path, tree: ForeignTree, native: NativeTree) -> str:
    """Return the operation of an implementation, or ''.

    In order of preference: all its required functions are named in the sources, or in what they include; its header
    crypto_....h is included; it is the only one with the sizes of the api.h.
    """
    api = tree.text(header)
    sizes = set(_SIZE.findall(api))
    texts = [path for path in tree.files(folder) if path.suffix in supercop.TEXTS]
    sources = _sources(folder, header, tree)
    for paths in (sources, [path for path in texts if path not in sources]):
        text = "\n".join(tree.text(path, MAX_FILE) for path in paths)
        if named := _named(api + text, sizes, native):
            return named
    headers = {name for path in texts for name in included(tree.content(path))}
    by_header = [name for name in native.operations if f"{name}.h" in headers]
    by_sizes = [name for name in native.operations if len(sizes) > 1 and _has_sizes(native.names(name), sizes)]
    return next((matching[0] for matching in (by_header, by_sizes) if len(matching) == 1), "")


def _named(text: str, sizes: set[str], native: NativeTree) -> str:
    """Return the operation whose required functions are all named, or ''.

    Of several, the one with the most functions wins, then the one whose sizes fit best.
    """
    named = {*_CALL.findall(text), *_EXPORTED.findall(text)}
    fitting = {}
    for name in native.operations:
        foreign = native.names(name)
        if all(name + suffix in named for suffix in foreign.required_functions):
            fitting[name] = (len(foreign.required_functions), -len(sizes ^ set(foreign.sizes)))
    return max(fitting, key=lambda name: fitting[name], default="")


def _has_sizes(foreign: ForeignOperation, sizes: set[str]) -> bool:
    """Return whether an api.h of the operation may have exactly these sizes."""
    return set(foreign.sizes) - set(foreign.optional_sizes) <= sizes <= set(foreign.sizes)


def _no_operation(api: Path, tree: ForeignTree) -> str:
    """Return why no operation is recognised."""
    reason = "does not define the functions of any known operation; `cyclometer new OPERATION DIR` shows them"
    if b"PQCLEAN_" in tree.content(api):
        reason += " (its names are PQClean's: it needs common/ and META.yml, so name its folder inside PQClean's tree)"
    return reason


def _sources(folder: Path, api: Path, tree: ForeignTree) -> list[Path]:
    """Return the sources of the implementation, without NIST's generators and random bytes.

    They are beside its api.h; if that is in include/, around that folder and in lib/ or src/ beside it.
    """
    files = [path for home in _parts(folder, api, tree) for path in with_suffixes(home, supercop.SOURCES)]
    own = [path for path in files if not path.name.startswith(_GENERATORS) and not _is_nists_rng(path, api, tree)]
    tree.must_be_readable(own)
    return [path for path in own if _API_FUNCTION.search(tree.content(path)) or not _is_beside(path, tree)]


def _parts(folder: Path, api: Path, tree: ForeignTree) -> list[Path]:
    """Return the folders of the implementation's sources and headers."""
    if api.parent == folder:
        return [folder]
    return [folder, api.parent, *(part for part in (folder / name for name in _BESIDE) if tree.folder(part) == part)]


def _is_nists_rng(path: Path, api: Path, tree: ForeignTree) -> bool:
    """Return whether this is NIST's rng.c: some packages have a generator of their own under that name."""
    headers = (folder / "rng.h" for folder in (path.parent, api.parent))
    declaring = next(filter(tree.is_file, headers), path)
    return path.name == "rng.c" and bool(_RANDOM_BYTES.search(tree.content(declaring)))


def _is_random_bytes(path: Path, tree: ForeignTree) -> bool:
    """Return whether a source is the system's random bytes, which are the harness's here."""
    return path.name == "randombytes.c" and bool(_RANDOM_BYTES.search(tree.content(path)))


def _is_beside(path: Path, tree: ForeignTree) -> bool:
    """Return whether a source that defines nothing of the API is a program, or a wrapper of NIST's benchmark."""
    return path.name.startswith(_WRAPPERS) or has_main(tree.content(path))


def vectors(listed: ForeignImplementation, tree: ForeignTree, native: NativeTree) -> tuple[Path, ...]:
    """Return what all implementations of the primitive are checked with.

    That is its folder's vectors.json, and the known answers of NIST's lightweight call there or in the folder above.
    """
    folders = [folder for folder in _folders(listed, tree)[-1].parents[:2] if folder.is_relative_to(tree.root)]
    return (*_vectors_json(folders[:1]), *_lightweight(folders, listed, native))


def _own_vectors(listed: ForeignImplementation, tree: ForeignTree, native: NativeTree) -> tuple[Path, ...]:
    """Return what only this implementation is checked with, so that its errors concern no other one."""
    folders = _folders(listed, tree)
    return (*_vectors_json(folders), *_lightweight(folders, listed, native))


def _folders(listed: ForeignImplementation, tree: ForeignTree) -> list[Path]:
    """Return the implementation's folder and those above it, below that of its primitive."""
    above = listed.folder.parents[: len(Path(listed.name).parts) - 1]
    return [listed.folder, *(folder for folder in above if folder.is_relative_to(tree.root))]


def _vectors_json(folders: Sequence[Path]) -> list[Path]:
    """Return the first that there is, whatever it is."""
    return [path for path in (folder / OWN_VECTORS for folder in folders) if os.path.lexists(path)][:1]


def _lightweight(folders: Sequence[Path], listed: ForeignImplementation, native: NativeTree) -> list[Path]:
    """Return the known answers for the operation in the first folder with files of NIST's lightweight call."""
    nearest = next(filter(None, (sorted(folder.glob("LWC_*_KAT_*.txt")) for folder in folders)), [])
    return [path for path in nearest if operation_of(path, native.operations) == listed.operation]


def load(
    listed: ForeignImplementation, tree: ForeignTree, adapter: Path, native: NativeTree
) -> Implementation | Failure:
    """Return what the compile stage needs: as for SUPERCOP, but with plain names and NIST's rng.h."""
    sources = _sources(listed.folder, listed.api, tree)
    if not sources:
        return listed.failure(supercop.no_source(listed.folder, tree))
    given = flags(listed.folder, tree)
    base = supercop.described(listed, sources, given, tree, adapter, native)
    if isinstance(base, Failure):
        return base
    assert base.foreign
    sources = list(base.sources)
    if base.foreign.renaming:  # an author's repository, where the makefile knows more than the folder
        tree.must_be_readable(given.below)
        sources = [path for path in (*sources, *given.below) if not _is_random_bytes(path, tree)]
    own_vectors = _own_vectors(listed, tree, native)
    tree.must_be_regular(own_vectors)
    foreign = native.names(listed.operation)
    symbols = [symbol for _, symbol in base.foreign.names]
    renamed = [
        f"{listed.operation}{suffix}={symbol}" for suffix, symbol in zip(foreign.functions, symbols, strict=True)
    ]
    parts, kat = _parts(listed.folder, listed.api, tree), adapter.parent / "_nist_kat"
    include_folders = (*parts[1:2], *base.foreign.folders, adapter.parent / "nist" / "include")
    if "rng.h" in _headers(parts, tree) and not any(path.name == "rng.c" for path in sources):
        nist, aes = adapter.parent / "nist", adapter.parent.parent / "primitives"
        sources.append(nist / "rng" / "rng.c")
        include_folders += (nist / "rng", aes / "crypto_blockcipher" / "_aes", aes / "crypto_stream" / "_aes")
        renamed.append("randombytes=nist_randombytes")
    kat_sources = tuple(kat / name for name in ("rng.c", "kat.c", f"{listed.operation}.c"))
    oracles = tuple(records(listed, tree, foreign.kat_fields)) if kat_sources[-1].is_file() else ()
    glue = (*(path for path in base.glue if path.parent.name != "checksum"), *kat_sources) if oracles else base.glue
    return replace(
        base,
        sources=tuple(sources),
        glue=glue,
        foreign=replace(
            base.foreign,
            folders=include_folders,
            defines=tuple(dict.fromkeys((*base.foreign.defines, *renamed))),
            oracles=oracles or base.foreign.oracles,
            vectors=own_vectors,
            overridden=(),  # the package's own headers use plain names
        ),
    )


def _headers(folders: Iterable[Path], tree: ForeignTree) -> set[str]:
    """Return the names of the headers that sources and headers in the folders include."""
    files = [path for folder in folders for path in with_suffixes(folder, supercop.TEXTS) if tree.is_file(path)]
    texts = [tree.content(path) for path in files]
    return {Path(name).name for text in texts for name in included(text)}
