# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ciphers of the API of eSTREAM (the ECRYPT stream cipher project, 2004 to 2008): a folder with ecrypt-sync.h
or ecrypt-sync-ae.h and the sources beside it; api/ has what they all include.

The key has 128 bits where the cipher allows that, else 256, else the most it takes; the IV and the MAC have the
most that the cipher takes up to 128 bits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cyclometer.discover.arithmetic import arithmetic
from cyclometer.discover.foreign._tree import ForeignImplementation, ForeignTree, NativeTree, ancestors, has_main
from cyclometer.records.catalogue import Catalogue, Composition, Foreign, Implementation, Primitive
from cyclometer.records.failure import Failure

EXPECTED = "folders with ecrypt-sync.h or ecrypt-sync-ae.h and sources"

SYNC, AE = "ecrypt-sync.h", "ecrypt-sync-ae.h"
SOURCES = (".c", ".S", ".s")
MAC = ("crypto_onetimeauth", "poly1305")  # of ours, that makes an authenticating cipher of a stream
COMPOSITION = "poly1305-2007"
_PATTERNS = ("*", "*/*", "submissions/*", "submissions/*/*", "submissions/*/*/*")
_CIPHER = re.compile(rb"^(?:void\s+)?ECRYPT_(?:AE_)?keysetup\s*\((?![^)]*\)\s*;)", re.MULTILINE)
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_INCLUDED = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
_NOT_A_CIPHER = ("api", "skel", "test", "testsuite", "include")
_NO_SOURCE = "has no source file (.c, .S, .s)"
_COMMON = ("api", "include")  # folders of a collection that are on every include path
_MOST_VARIANTS = 10  # by the rules of the API


def recognise(folder: Path) -> ForeignTree | None:
    """A collection of ciphers, one of them, or something inside either."""
    if (folder / "api.h").is_file():
        return None  # SUPERCOP's, with a cipher of eSTREAM inside
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


def _is_cipher(folder: Path) -> bool:
    """SUPERCOP's copies of these ciphers have an api.h."""
    headers = any((folder / name).is_file() for name in (SYNC, AE))
    return headers and not (folder / "api.h").exists() and folder.name not in _NOT_A_CIPHER


def _ciphers(root: Path) -> Iterator[Path]:
    seen: set[Path] = set()
    for pattern in _PATTERNS:
        for name in (SYNC, AE):
            for header in root.glob(f"{pattern}/{name}"):
                if header.parent not in seen and _is_cipher(header.parent):
                    seen.add(header.parent)
                    yield header.parent


def listing(found: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """Every variant of every cipher: as a stream and with our authenticator, or with the cipher's own."""
    listed: list[ForeignImplementation] = []
    folders = [found.root] if _is_cipher(found.root) else sorted(_ciphers(found.root))
    for folder in folders:
        if not found.concerns(folder):
            continue
        relative = folder.relative_to(found.root / "submissions" if _below_submissions(folder, found) else found.root)
        name = re.sub(r"[^A-Za-z0-9_.-]", "-", "-".join(relative.parts) or folder.name)
        if (folder / SYNC).is_file():
            listed += _variants("crypto_stream", name, _Header.read(folder / SYNC))
        if (folder / AE).is_file():
            listed += _variants("crypto_aead", name, _Header.read(folder / AE))
    return listed


def _below_submissions(folder: Path, found: ForeignTree) -> bool:
    return found.root / "submissions" in folder.parents


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
    """What one of the API's headers says, in bits."""

    file: Path
    variants: int = 1
    key: int = 0
    iv: int = 0
    mac: int = 0
    problem: str = ""  # why the cipher cannot be used

    @classmethod
    def read(cls, file: Path) -> _Header:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read_text(encoding="utf-8", errors="replace"), flags=re.DOTALL)
        text = text.replace("\\\n", " ")
        variants = _number(text, "ECRYPT_MAXVARIANT") or 1
        keys, ivs, macs = (_sizes(text, kind) for kind in ("KEY", "IV", "MAC"))
        problem = ""
        if not keys or not ivs or (file.name == AE and not macs):
            problem = "the sizes in its header are not understood"
        return cls(
            file=file,
            variants=min(variants, _MOST_VARIANTS),
            key=next((size for size in (128, 256) if size in keys), max(keys, default=0)),
            iv=_most(ivs),
            mac=_most(macs),
            problem=problem,
        )


def _most(sizes: list[int]) -> int:
    return max((size for size in sizes if size <= 128), default=min(sizes, default=0))


def _number(text: str, macro: str) -> int | None:
    defined = re.search(rf"^\s*#\s*define\s+{macro}\s+(.+)$", text, re.MULTILINE)
    return arithmetic(defined[1], {}) if defined else None


def _sizes(text: str, kind: str) -> list[int]:
    """ECRYPT_KEYSIZE(0), (1) ... up to ECRYPT_MAXKEYSIZE, those that are whole bytes."""
    most = _number(text, f"ECRYPT_MAX{kind}SIZE")
    defined = re.search(rf"^\s*#\s*define\s+ECRYPT_{kind}SIZE\(\s*(\w+)\s*\)\s*(.+)$", text, re.MULTILINE)
    if most is None or not defined:
        return []
    found: list[int] = []
    for i in range(most + 1):
        size = arithmetic(defined[2], {defined[1]: i})
        if size is None or size > most or (found and size <= found[-1]):
            break
        found.append(size)
    return [size for size in found if size % 8 == 0]


def sizes(one: ForeignImplementation) -> dict[str, int]:
    """Of the primitive, in bytes."""
    header = _header_of(one)
    found = {"key_bytes": header.key // 8, "nonce_bytes": header.iv // 8}
    return found | ({"tag_bytes": header.mac // 8} if one.operation == "crypto_aead" else {})


def vectors(one: ForeignImplementation, native: NativeTree) -> tuple[Path, ...]:
    """The submission's test vectors."""
    return tuple(sorted(one.folder.glob("*.test-vectors"))) if one.operation == "crypto_stream" else ()


def composed(one: ForeignImplementation, base: Catalogue) -> Primitive | None:
    """The stream with our authenticator, as "Cycle counts for authenticated encryption" has it."""
    mac, suffix = base.primitives.get("/".join(MAC)), f"-{MAC[1]}"
    folder = base.operations["crypto_aead"].folder / "compositions" / COMPOSITION
    if not mac or not _has_our_mac(one):
        return None
    header = _Header.read(one.folder / SYNC)
    stream = one.primitive.removesuffix(suffix)
    return Primitive(
        operation=one.operation,
        name=one.primitive,
        folder=one.folder,
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


def _has_our_mac(one: ForeignImplementation) -> bool:
    own = (one.folder / AE).is_file() and not (one.folder / SYNC).is_file()
    return one.operation == "crypto_aead" and one.primitive.endswith(f"-{MAC[1]}") and not own


def _header_of(one: ForeignImplementation) -> _Header:
    return _Header.read(one.folder / (AE if one.operation == "crypto_aead" else SYNC))


def _has_source(folder: Path) -> bool:
    """By names alone."""
    with os.scandir(folder) as entries:
        return any(entry.name.endswith(SOURCES) for entry in entries)


def _sources(folder: Path) -> list[Path]:
    """Without programs (a cipher's own source may have a test in it), and without what another source includes."""
    texts = {path: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in (*SOURCES, ".h")}
    included = {name for text in texts.values() for name in _INCLUDED.findall(text)}
    return [
        path
        for path, text in texts.items()
        if path.suffix in SOURCES
        and path.name.encode() not in included
        and (_CIPHER.search(_COMMENT.sub(b" ", text)) or not has_main(text))
    ]


def load(one: ForeignImplementation, found: ForeignTree, adapter: Path, native: NativeTree) -> Implementation | Failure:
    """What the build needs of a variant."""
    own = _sources(one.folder)
    reason = "needs our own poly1305" if _has_our_mac(one) else "" if own else _NO_SOURCE
    if reason:
        return one.failure(reason)
    header = _header_of(one)
    kind = header.file.stem.replace("ecrypt", "estream")
    inside, home = adapter / "shim", adapter / one.operation
    calls = ("key", "seal", "open") if header.file.name == AE else ("key", "iv", "blocks", "bytes")
    api = [folder for folder in (found.root / name for name in _COMMON) if folder.is_dir()]
    return Implementation(
        operation=one.operation,
        primitive=one.primitive,
        name=one.name,
        folders=(home,),
        sources=(*own, inside / f"{kind}.c"),
        glue=(home / f"{one.operation}.c",),
        foreign=Foreign(
            tree=found.root,
            home=one.folder,
            folders=(one.folder, *api, inside, adapter.parent / "supercop" / "include"),
            defines=(
                "ECRYPT_API=",
                f"ECRYPT_VARIANT={one.name.removeprefix('variant')}",
                f"ESTREAM_KEYBITS={header.key}",
                f"ESTREAM_IVBITS={header.iv}",
                f"ESTREAM_MACBITS={header.mac}",
            ),
            headers=(),
            exported_headers=(),
            api=inside / f"{kind}-sizes.h",
            prefix="ESTREAM_",
            sizes=("STATEBYTES", "BLOCKBYTES"),
            names=tuple((f"estream_{call}",) * 2 for call in calls),
        ),
    )
