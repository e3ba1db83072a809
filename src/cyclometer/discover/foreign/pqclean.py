# SPDX-License-Identifier: MIT OR Apache-2.0
"""PQClean's tree: crypto_<operation>/<scheme>/META.yml and a folder for each implementation.

Names, sizes and the two hashes of known answers are as in PQClean 3730b32 (January 2026).
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from cyclometer.discover.foreign._tree import (
    ForeignImplementation,
    ForeignTree,
    NativeTree,
    adapted,
    ancestors,
    included,
)
from cyclometer.records.catalogue import Foreign, Implementation
from cyclometer.records.failure import Failure

EXPECTED = "folders crypto_<operation>/<scheme>/ with a META.yml"

SOURCES = (".c", ".S", ".s")
TEXTS = (*SOURCES, ".h", ".inc", ".macros")
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar is a text
_OURS = "randombytes"  # of common/, but given by the harness


def recognise(folder: Path) -> ForeignTree | None:
    """A checkout, or a part of one."""
    for home in ancestors(folder):
        if home.name.startswith("crypto_") and next(home.glob("*/META.yml"), None):
            return ForeignTree(kind="pqclean", root=home.parent, part=folder, label=f"PQClean tree {home.parent.name}")
        if next(home.glob("crypto_*/*/META.yml"), None):
            return ForeignTree(kind="pqclean", root=home, part=folder, label=f"PQClean tree {home.name}")
    return None


def listing(found: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """Every folder with an api.h beside a META.yml; that file says which machine it is for."""
    listed: list[ForeignImplementation] = []
    for scheme in sorted(file.parent for file in found.root.glob("crypto_*/*/META.yml")):
        if not found.concerns(scheme):
            continue
        meta = _meta(scheme)
        listed += [
            ForeignImplementation(
                operation=scheme.parent.name,
                primitive=scheme.name,
                name=api.parent.name,
                folder=api.parent,
                skip_reason=_unfit(_platforms(meta, api.parent.name), native),
            )
            for api in sorted(scheme.glob("*/api.h"))
            if found.concerns(api.parent)
        ]
    return listed


def _meta(scheme: Path) -> Mapping[str, Any]:
    try:
        read = yaml.load((scheme / "META.yml").read_text(encoding="utf-8", errors="replace"), Loader=_LOADER)
    except (yaml.YAMLError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _platforms(meta: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """What an implementation is for; nothing: every machine."""
    implementations = meta.get("implementations")
    for one in implementations if isinstance(implementations, list) else []:
        if isinstance(one, dict) and one.get("name") == name and isinstance(one.get("supported_platforms"), list):
            return [each for each in one["supported_platforms"] if isinstance(each, dict)]
    return []


def _unfit(platforms: Iterable[Mapping[str, Any]], native: NativeTree) -> str:
    """'' when one of the platforms may be this one; the CPU's features are looked at by the build."""
    reasons = [_other(each, native) for each in platforms]
    return "" if "" in reasons or not reasons else "; ".join(dict.fromkeys(reasons))


def _other(wanted: Mapping[str, Any], native: NativeTree) -> str:
    systems = _words(wanted.get("operating_systems"))
    if wanted.get("architecture") != native.architecture.pqclean:
        return f"for {wanted.get('architecture')} only"
    if systems and platform.system() not in systems:
        return f"for {', '.join(systems)} only"
    unknown = [flag for flag in _words(wanted.get("required_flags")) if flag not in native.features]
    return f"needs {', '.join(unknown)}, which is not known here" if unknown else ""


def _words(value: object) -> list[str]:
    return [str(word) for word in value] if isinstance(value, list) else []


def load(one: ForeignImplementation, found: ForeignTree, adapter: Path, native: NativeTree) -> Implementation | Failure:
    """What the build needs of an implementation."""
    own = sorted(path for path in one.folder.iterdir() if path.suffix in SOURCES)
    if not own:
        return one.failure("has no source file (.c, .S, .s)")
    meta, common = _meta(one.folder.parent), found.root / "common"
    space = f"PQCLEAN_{one.primitive}_{one.name}".replace("-", "").upper()
    known, foreign = adapter.parent / "_nist_kat", native.names(one.operation)
    calls, glue = adapted(one.operation, adapter)
    functions = (*foreign.functions, *foreign.pqclean_functions)
    answers = [known / name for name in ("rng.c", "kat.c", f"{one.operation}.c")]
    oracle = tuple(_oracle(meta)) if answers[-1].is_file() else ()
    wanted = [each for each in _platforms(meta, one.name) if not _other(each, native)][:1]
    return Implementation(
        operation=one.operation,
        primitive=one.primitive,
        name=one.name,
        folders=(),
        sources=(*own, *_common(one.folder, own, common)),
        needs=tuple(native.features[flag] for each in wanted for flag in _words(each.get("required_flags"))),
        glue=(*glue, *(answers if answers[-1].is_file() else ())),
        macros=(("FOREIGN_SIGNATURE", "1"),),
        foreign=Foreign(
            tree=found.root,
            home=one.folder,
            folders=(adapter / "include", common),
            defines=(),
            headers=(),
            exported_headers=(),
            api=one.folder / "api.h",
            prefix=f"{space}_CRYPTO_",
            sizes=tuple(foreign.sizes),
            names=tuple((calls + suffix, f"{space}_{one.operation}{suffix}") for suffix in functions),
            oracle=oracle,
        ),
    )


def _oracle(meta: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if digest := meta.get("nistkat-sha256"):
        yield "nistkat-hqc" if meta.get("nistkat-rng") == "hqc" else "nistkat", f"sha256 {digest}"
    if digest := meta.get("testvectors-sha256"):
        yield "testvectors", f"sha256 {digest}"


def _common(home: Path, own: Iterable[Path], common: Path) -> list[Path]:
    """Sources of common/ whose headers are reached, and those of its folders that the Makefile names."""
    found = set(_named_by_makefile(home, common))
    waiting, seen = [*own, *found], set[Path]()
    while waiting:
        path = waiting.pop()
        if path in seen or path.suffix not in TEXTS:
            continue
        seen.add(path)
        for name in included(path.read_bytes()):
            for folder in (path.parent, common):
                target = folder / name
                if target.is_file():
                    waiting.append(target)
                    break
        source = path.with_suffix(".c")
        if path.parent == common and path.suffix == ".h" and path.stem != _OURS and source.is_file():
            found.add(source)
            waiting.append(source)
    return sorted(found)


def _named_by_makefile(home: Path, common: Path) -> Iterator[Path]:
    """Of keccak4x and the like: their functions are declared by those who call them."""
    makefile = home / "Makefile"
    text = makefile.read_text(encoding="utf-8", errors="replace") if makefile.is_file() else ""
    for folder in sorted(path for path in common.glob("*") if path.is_dir()):
        if f"common/{folder.name}" in text:
            yield from (path for path in folder.iterdir() if path.suffix in SOURCES)
