# SPDX-License-Identifier: MIT OR Apache-2.0
"""PQClean trees: crypto_<operation>/<scheme>/META.yml and a folder for each implementation.

Names, sizes and the two hashes of known answers are as in PQClean 3730b32 (January 2026).
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from cyclometer.discover.foreign import _common
from cyclometer.discover.foreign._tree import (
    ForeignImplementation,
    ForeignTree,
    NativeTree,
    adapted,
    ancestors,
)
from cyclometer.errors import RefusedFile
from cyclometer.records.catalogue import Foreign, Implementation, Oracle
from cyclometer.records.failure import Failure
from cyclometer.untrusted import shortened, with_suffixes

EXPECTED = "folders crypto_<operation>/<scheme>/ with a META.yml"

SOURCES = (".c", ".S", ".s")
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # reads every scalar as a string
_MAX_DEPTH = 50
DETACHED = Oracle(name="detached", expected="agrees", is_own=True)  # of signatures apart from their messages


def recognise(folder: Path) -> ForeignTree | None:
    """Return the checkout that the folder is, or is a part of."""
    for home in ancestors(folder):
        if home.name.startswith("crypto_") and next(home.glob("*/META.yml"), None):
            return ForeignTree(kind="pqclean", root=home.parent, part=folder, label=f"PQClean tree {home.parent.name}")
        if next(home.glob("crypto_*/*/META.yml"), None):
            return ForeignTree(kind="pqclean", root=home, part=folder, label=f"PQClean tree {home.name}")
    return None


def listing(tree: ForeignTree, native: NativeTree) -> list[ForeignImplementation]:
    """List every folder with an api.h beside a META.yml, which says which machines it is for."""
    result: list[ForeignImplementation] = []
    for scheme in sorted(file.parent for file in tree.root.glob("crypto_*/*/META.yml")):
        if not tree.concerns(scheme):
            continue
        meta, problem = _meta(scheme, tree)
        result += [
            ForeignImplementation(
                operation=scheme.parent.name,
                primitive=scheme.name,
                name=api.parent.name,
                folder=api.parent,
                skip_reason=problem or _skip_reason(_platforms(meta, api.parent.name), native),
            )
            for api in sorted(scheme.glob("*/api.h"))
            if tree.concerns(api.parent)
        ]
    return result


def _meta(scheme: Path, tree: ForeignTree) -> tuple[Mapping[str, Any], str]:
    """Return what META.yml says, and why it cannot be read or ''."""
    try:
        text = tree.text(scheme / "META.yml")
        if _is_too_deep(text):
            return {}, f"META.yml of {scheme.name} is nested too deep"
        read = yaml.load(text, Loader=_LOADER)
    except RefusedFile as error:
        return {}, str(error)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        return {}, f"META.yml of {scheme.name} is not YAML{f' in line {mark.line + 1}' if mark else ''}"
    if not isinstance(read, dict):
        return {}, f"META.yml of {scheme.name} is not a mapping of keys to values"
    return read, ""


def _is_too_deep(text: str) -> bool:
    """Return whether lists and mappings are nested so deep that loading them would exhaust the stack of C code."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            return True
    return False


def _platforms(meta: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the platforms that an implementation supports; none means all."""
    implementations = meta.get("implementations")
    for entry in implementations if isinstance(implementations, list) else []:
        if isinstance(entry, dict) and entry.get("name") == name and isinstance(entry.get("supported_platforms"), list):
            return [each for each in entry["supported_platforms"] if isinstance(each, dict)]
    return []


def _skip_reason(platforms: Iterable[Mapping[str, Any]], native: NativeTree) -> str:
    """Return '' if one of the platforms may be this one; the compile stage checks the CPU's features."""
    reasons = [_mismatch(each, native) for each in platforms]
    return "" if "" in reasons or not reasons else "; ".join(dict.fromkeys(reasons))


def _mismatch(supported: Mapping[str, Any], native: NativeTree) -> str:
    systems = _words(supported.get("operating_systems"))
    architecture = supported.get("architecture")
    if architecture != native.architecture.pqclean:
        return f"for {shortened(architecture) if isinstance(architecture, str) else 'other machines'} only"
    if systems and platform.system() not in systems:
        return f"for {shortened(', '.join(systems))} only"
    unknown = [flag for flag in _words(supported.get("required_flags")) if flag not in native.features]
    return f"needs {shortened(', '.join(unknown))}, which is unknown here" if unknown else ""


def _words(value: object) -> list[str]:
    """Return the words of a list; nested lists, which may be endless, are left out."""
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []


def load(
    listed: ForeignImplementation, tree: ForeignTree, adapter: Path, native: NativeTree
) -> Implementation | Failure:
    """Return what the compile stage needs of an implementation."""
    own = with_suffixes(listed.folder, SOURCES)
    if not own:
        return listed.failure("has no source file (.c, .S, .s)")
    tree.must_be_readable([*own, listed.api])
    meta, common = _meta(listed.folder.parent, tree)[0], tuple(filter(None, [_common.folder(tree)]))
    namespace = f"PQCLEAN_{listed.primitive}_{listed.name}".replace("-", "").upper()
    kat, foreign = adapter.parent / "_nist_kat", native.names(listed.operation)
    prefix, glue = adapted(listed.operation, adapter)
    detached = adapter / listed.operation / f"{DETACHED.name}.c"
    if detached.is_file():
        glue = (*glue, detached)
    functions = (*foreign.functions, *foreign.pqclean_functions)
    kat_sources = [kat / name for name in ("rng.c", "kat.c", f"{listed.operation}.c")]
    oracles = tuple(_oracles(meta)) if kat_sources[-1].is_file() else ()
    oracles += (DETACHED,) if detached.is_file() else ()
    platforms = [each for each in _platforms(meta, listed.name) if not _mismatch(each, native)][:1]
    return Implementation(
        operation=listed.operation,
        primitive=listed.primitive,
        name=listed.name,
        folders=(),
        sources=(*own, *_common.sources(listed.folder, own, common, tree)),
        needs=tuple(native.features[flag] for each in platforms for flag in _words(each.get("required_flags"))),
        glue=(*glue, *(kat_sources if kat_sources[-1].is_file() else ())),
        macros=(("FOREIGN_SIGNATURE", "1"),),
        foreign=Foreign(
            tree=tree.root,
            home=listed.folder,
            folders=(adapter / "include", *common),
            defines=(),
            headers=(),
            exported_headers=(),
            api=listed.api,
            prefix=f"{namespace}_CRYPTO_",
            sizes=tuple(foreign.sizes),
            large_sizes=foreign.large_sizes,
            names=tuple((prefix + suffix, f"{namespace}_{listed.operation}{suffix}") for suffix in functions),
            oracles=oracles,
        ),
    )


def _oracles(meta: Mapping[str, Any]) -> Iterator[Oracle]:
    for name, key in (("nistkat", "nistkat-sha256"), ("testvectors", "testvectors-sha256")):
        digest = meta.get(key)
        if isinstance(digest, str) and digest:
            hqc = "-hqc" if name == "nistkat" and meta.get("nistkat-rng") == "hqc" else ""
            yield Oracle(name=f"{name}{hqc}", expected=f"sha256 {digest}", is_long=name == "testvectors")
