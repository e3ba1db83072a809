# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ciphers with the API of eSTREAM (the ECRYPT stream cipher project, 2004 to 2008).

A folder holds ecrypt-sync.h or ecrypt-sync-ae.h and the sources; api/ has the headers they share. The key has 128
bits if the cipher allows that, else 256, else its maximum; IV and MAC have the largest size up to 128 bits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cyclometer.discover.arithmetic import arithmetic
from cyclometer.discover.foreign._tree import ForeignImplementation, ForeignTree, NativeTree, ancestors, has_main
from cyclometer.errors import RefusedFile
from cyclometer.records.catalogue import Catalogue, Composition, Foreign, Implementation, Oracle, Primitive
from cyclometer.records.failure import Failure
from cyclometer.untrusted import MAX_HEADER, walk, with_suffixes

EXPECTED = "folders with ecrypt-sync.h or ecrypt-sync-ae.h and sources"

SYNC, AE = "ecrypt-sync.h", "ecrypt-sync-ae.h"
SOURCES = (".c", ".S", ".s")
UNMEASURED = ("decrypt_blocks", "decrypt_bytes", "keystream")  # functions of the API that are only checked
DECRYPTION = Oracle(name="decryption", expected="agrees", is_own=True)
MAC = ("crypto_onetimeauth", "poly1305")  # our primitive that authenticates what a stream cipher encrypts
COMPOSITION = "poly1305-2007"
_PATTERNS = ("*", "*/*", "submissions/*", "submissions/*/*", "submissions/*/*/*")
_CIPHER = re.compile(rb"^(?:void\s{1,80})?ECRYPT_(?:AE_)?keysetup\s{0,80}\((?![^)]{0,1000}\)\s{0,80};)", re.MULTILINE)
_SUPPORTS_AD = re.compile(r"^[ \t]*#[ \t]*define[ \t]+ECRYPT_SUPPORTS_AAD\b", re.MULTILINE)
_COMMENT = re.compile(rb"/\*(?:.*?\*/|.*)|//[^\n]*", re.DOTALL)
_INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_NOT_A_CIPHER = ("api", "skel", "test", "testsuite", "include")
_NO_SOURCE = "has no source file (.c, .S, .s)"
_COMMON = ("api", "include")  # folders of a collection that belong to every include path
_MAX_VARIANTS = 10  # set by the API
_MAX_SIZES = 1024


def recognise(folder: Path) -> ForeignTree | None:
    """Return the collection of ciphers, or the single cipher, that the folder is or is a part of."""
    if (folder / "api.h").is_file():
        return None  # a SUPERCOP implementation that contains an eSTREAM cipher
    if _is_cipher(folder):
        homes = [home for home in list(ancestors(folder))[:5] if _is_collection(home)]
        return ForeignTree(
            kind="estream", root=(homes or [folder])[0], part=folder, label=f"eSTREAM cipher {folder.name}"
        )
    for home in list(ancestors(folder))[:5]:
        if (home == folder or _is_collection(home)) and next(_ciphers(home), None):
            return ForeignTree(kind="estream", root=home, part=folder, label=f"eSTREAM tree {home.name}")
    return None


def _is_collection(folder: Path) -> bool:
    common = any((folder / name / "ecrypt-portable.h").is_file() for name in _COMMON)
    return common or (folder / "submissions").is_dir()


def _has(folder: Path, header: str) -> bool:
    """Return whether the folder has that header, even if it is none that can be read, which is then said."""
    return os.path.lexists(folder / header)


def _is_cipher(folder: Path) -> bool:
    """Return whether the folder is a cipher; SUPERCOP's copies of these ciphers, which have an api.h, are not."""
    headers = any(_has(folder, name) for name in (SYNC, AE))
    return headers and not (folder / "api.h").exists() and folder.name not in _NOT_A_CIPHER


def _ciphers(root: Path) -> Iterator[Path]:
    seen: set[Path] = set()
    for pattern in _PATTERNS:
        for name in (SYNC, AE):
            for header in root.glob(f"{pattern}/{name}"):
                if header.parent not in seen and _is_cipher(header.parent):
                    seen.add(header.parent)
                    yield header.parent


def listing(tree: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """List every variant of every cipher, with our authenticator or the cipher's own."""
    result: list[ForeignImplementation] = []
    folders = [tree.root] if _is_cipher(tree.root) else sorted(_ciphers(tree.root))
    for folder in folders:
        if not tree.concerns(folder):
            continue
        relative = folder.relative_to(tree.root / "submissions" if _below_submissions(folder, tree) else tree.root)
        name = re.sub(r"[^A-Za-z0-9_.-]", "-", "-".join(relative.parts) or folder.name)
        if _has(folder, SYNC):
            result += _variants("crypto_stream", name, _Header.read(folder / SYNC, tree))
        if _has(folder, AE):
            result += _variants("crypto_aead", name, _Header.read(folder / AE, tree))
    return result


def _below_submissions(folder: Path, tree: ForeignTree) -> bool:
    return tree.root / "submissions" in folder.parents


def _variants(operation: str, name: str, header: _Header) -> Iterator[ForeignImplementation]:
    skip_reason = header.problem or ("" if _has_source(header.file.parent) else _NO_SOURCE)
    for number in range(1, header.variants + 1):
        variant = f"variant{number}"
        folder = header.file.parent
        yield ForeignImplementation(
            operation=operation, primitive=name, name=variant, folder=folder, skip_reason=skip_reason
        )
        if operation == "crypto_stream" and not skip_reason:
            yield ForeignImplementation(
                operation="crypto_aead", primitive=f"{name}-{MAC[1]}", name=variant, folder=folder
            )


@dataclass(frozen=True, kw_only=True)
class _Header:
    """What one of the API's headers declares; the sizes are in bits."""

    file: Path
    variants: int = 1
    key: int = 0
    iv: int = 0
    mac: int = 0
    associated_data: bool = False
    problem: str = ""  # why the cipher cannot be used

    @classmethod
    def read(cls, file: Path, tree: ForeignTree) -> _Header:
        try:
            text = _COMMENT.sub(b" ", tree.content(file, MAX_HEADER)).decode(errors="replace").replace("\\\n", " ")
        except RefusedFile as error:
            return cls(file=file, problem=str(error))
        variants = _number(text, "ECRYPT_MAXVARIANT") or 1
        keys, ivs, macs = (_sizes(text, kind) for kind in ("KEY", "IV", "MAC"))
        problem = ""
        if not keys or not ivs or (file.name == AE and not macs):
            problem = "the sizes in its header cannot be read"
        return cls(
            file=file,
            variants=min(variants, _MAX_VARIANTS),
            key=next((size for size in (128, 256) if size in keys), max(keys, default=0)),
            iv=_preferred_size(ivs),
            mac=_preferred_size(macs),
            associated_data=bool(_SUPPORTS_AD.search(text)),
            problem=problem,
        )


def _preferred_size(sizes: list[int]) -> int:
    return max((size for size in sizes if size <= 128), default=min(sizes, default=0))


def _number(text: str, macro: str) -> int | None:
    defined = re.search(rf"^[ \t]*#[ \t]*define[ \t]+{macro}[ \t]+(.+)$", text, re.MULTILINE)
    return arithmetic(defined[1], {}) if defined else None


def _sizes(text: str, kind: str) -> list[int]:
    """Return the sizes ECRYPT_KEYSIZE(0), (1) ... up to ECRYPT_MAXKEYSIZE that are whole bytes, in bits."""
    maximum = _number(text, f"ECRYPT_MAX{kind}SIZE")
    pattern = rf"^[ \t]*#[ \t]*define[ \t]+ECRYPT_{kind}SIZE\([ \t]*(\w+)[ \t]*\)[ \t]*(.+)$"
    defined = re.search(pattern, text, re.MULTILINE)
    if maximum is None or not defined:
        return []
    sizes: list[int] = []
    for i in range(min(maximum, _MAX_SIZES) + 1):
        size = arithmetic(defined[2], {defined[1]: i})
        if size is None or size > maximum or (sizes and size <= sizes[-1]):
            break
        sizes.append(size)
    return [size for size in sizes if size % 8 == 0]


def sizes(listed: ForeignImplementation, tree: ForeignTree) -> dict[str, int]:
    """Return the primitive's sizes in bytes."""
    header = _header_of(listed, tree)
    result = {"key_bytes": header.key // 8, "nonce_bytes": header.iv // 8}
    return result | ({"tag_bytes": header.mac // 8} if listed.operation == "crypto_aead" else {})


def associated_data(listed: ForeignImplementation, tree: ForeignTree) -> bool:
    """Return whether the cipher authenticates associated data, too."""
    return _header_of(listed, tree).associated_data


def vectors(listed: ForeignImplementation, tree: ForeignTree, native: NativeTree) -> tuple[Path, ...]:
    """Return the submission's test vectors."""
    return tuple(with_suffixes(listed.folder, (".test-vectors",))) if listed.operation == "crypto_stream" else ()


def composed(listed: ForeignImplementation, tree: ForeignTree, base: Catalogue) -> Primitive | None:
    """Return the stream cipher with our authenticator, as in "Cycle counts for authenticated encryption"."""
    mac, suffix = base.primitives.get("/".join(MAC)), f"-{MAC[1]}"
    folder = base.operations["crypto_aead"].folder / "compositions" / COMPOSITION
    if not mac or not _has_our_mac(listed):
        return None
    header = _Header.read(listed.folder / SYNC, tree)
    stream = listed.primitive.removesuffix(suffix)
    return Primitive(
        operation=listed.operation,
        name=listed.primitive,
        folder=listed.folder,
        sizes={
            "key_bytes": mac.sizes["key_bytes"] + header.key // 8,
            "nonce_bytes": header.iv // 8,
            "tag_bytes": mac.sizes["tag_bytes"],
        },
        associated_data=False,
        facts={"description": f"{stream} of a tree in eSTREAM's API, with our {MAC[1]}", "attacks": []},
        vectors=(),
        composed=Composition(
            name=COMPOSITION,
            folder=folder,
            parts={"stream": ("crypto_stream", stream), "mac": MAC},
            tuned_first=("mac",),
            searched="stream",
        ),
    )


def _has_our_mac(listed: ForeignImplementation) -> bool:
    own = _has(listed.folder, AE) and not _has(listed.folder, SYNC)
    return listed.operation == "crypto_aead" and listed.primitive.endswith(f"-{MAC[1]}") and not own


def _header_of(listed: ForeignImplementation, tree: ForeignTree) -> _Header:
    return _Header.read(listed.folder / (AE if listed.operation == "crypto_aead" else SYNC), tree)


def _has_source(folder: Path) -> bool:
    """Return whether the folder has a source file, judged by names alone."""
    return any(names and any(name.endswith(SOURCES) for name in names) for _, names in walk(folder, 0))


def _sources(folder: Path, tree: ForeignTree) -> list[Path]:
    """Return the cipher's sources, without test programs and without files that another source includes.

    A source with the cipher's key setup is kept even if it also has a main.
    """
    files = with_suffixes(folder, (*SOURCES, ".h"))
    tree.must_be_readable(files)
    texts = {path: tree.content(path) for path in files}
    included = {name for text in texts.values() for name in _INCLUDED.findall(text)}
    return [
        path
        for path, text in texts.items()
        if path.suffix in SOURCES
        and path.name.encode() not in included
        and (_CIPHER.search(_COMMENT.sub(b" ", text)) or not has_main(text))
    ]


def load(
    listed: ForeignImplementation, tree: ForeignTree, adapter: Path, native: NativeTree
) -> Implementation | Failure:
    """Return what the compile stage needs of a variant."""
    own = _sources(listed.folder, tree)
    reason = "needs our own poly1305" if _has_our_mac(listed) else "" if own else _NO_SOURCE
    if reason:
        return listed.failure(reason)
    header = _header_of(listed, tree)
    kind = header.file.stem.replace("ecrypt", "estream")
    shim, home = adapter / "shim", adapter / listed.operation
    is_ae = header.file.name == AE
    functions = ("key", "seal", "open") if is_ae else ("key", "iv", "blocks", "bytes", *UNMEASURED)
    glue = [home / f"{listed.operation}.c", *([] if is_ae else [home / f"{DECRYPTION.name}.c"])]
    api = [folder for folder in (tree.root / name for name in _COMMON) if folder.is_dir()]
    return Implementation(
        operation=listed.operation,
        primitive=listed.primitive,
        name=listed.name,
        folders=(home,),
        sources=(*own, shim / f"{kind}.c"),
        glue=tuple(glue),
        foreign=Foreign(
            tree=tree.root,
            home=listed.folder,
            folders=(listed.folder, *api, shim, adapter.parent / "supercop" / "include"),
            defines=(
                "ECRYPT_API=",
                f"ECRYPT_VARIANT={listed.name.removeprefix('variant')}",
                f"ESTREAM_KEYBITS={header.key}",
                f"ESTREAM_IVBITS={header.iv}",
                f"ESTREAM_MACBITS={header.mac}",
            ),
            headers=(),
            exported_headers=(),
            api=shim / f"{kind}-sizes.h",
            prefix="ESTREAM_",
            sizes=("STATEBYTES", "BLOCKBYTES"),
            large_sizes=("STATEBYTES",),
            names=tuple((f"estream_{call}",) * 2 for call in functions),
            oracles=() if is_ae else (DECRYPTION,),
        ),
    )
