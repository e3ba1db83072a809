# SPDX-License-Identifier: MIT OR Apache-2.0
"""A machine without some features of its CPU: --without aes,avx512.

Compilers get the flags that switch them off, libraries the settings that their [mask] declares; a library that
declares none is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer.discover import schema, toml_files
from cyclometer.errors import CyclometerError, UnknownName
from cyclometer.records.catalogue import Catalogue, Compiler, Feature
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.records.tuning import Tuning

GLIBC = "GLIBC_TUNABLES"
"""The C library's own functions, such as memcpy, are chosen by it."""


def hidden_features(features: Mapping[str, Feature], names: Sequence[str], cpu_flags: Collection[str]) -> list[str]:
    """Return the features of this CPU that the names mean, with all that build on them.

    A name is that of a feature, or what the names of several begin with: `avx512`. `UnknownName` for any other,
    `CyclometerError` if the CPU has none of them.
    """
    wanted: set[str] = set()
    for name in names:
        matching = {name} & features.keys() or {feature for feature in features if feature.startswith(name)}
        matching = {feature for feature in matching if not features[feature].macro}
        if not name or not matching:
            raise UnknownName("CPU feature", name, features, "toolchains/features has all")
        wanted |= matching
    while more := {name for name, feature in features.items() if wanted & {*feature.requires}} - wanted:
        wanted |= more
    hidden = sorted(name for name in wanted if features[name].cpuinfo in cpu_flags)
    if names and not hidden:
        raise CyclometerError(f"--without {','.join(names)}: this CPU has none of these features")
    return hidden


def without_features(
    catalogue: Catalogue, tree: Path, hidden: Sequence[str], cpu_flags: Collection[str]
) -> tuple[Catalogue, list[Failure]]:
    """Return the catalogue for this CPU without the hidden features, and a record of each library that is left out."""
    features = {name: catalogue.features[name] for name in hidden}
    visible = {name for name, feature in catalogue.features.items() if feature.cpuinfo in cpu_flags} - features.keys()
    variables, failures, unmasked = {}, [], set()
    for folder in sorted(path.parent for path in (tree / "providers").glob("*/provider.toml")):
        declared = toml_files.read(schema.Provider, folder / "provider.toml")
        mask = declared.mask
        if mask is None:
            unmasked.add(folder.name)
            reason = f"left out: {declared.name} has no documented switch for {', '.join(hidden)}"
            failures.append(_left_out(folder.name, reason))
        elif mask.variable:
            variables[mask.variable] = _value(mask, features, visible)
    if named := [feature.glibc for feature in features.values() if feature.glibc]:
        variables[GLIBC] = "glibc.cpu.hwcaps=" + ",".join(f"-{name}" for name in named)
    off = tuple(flag for name, feature in features.items() for flag in _off(name, feature))
    return replace(
        catalogue,
        compilers=tuple(_masked(compiler, off, variables) for compiler in catalogue.compilers),
        implementations=tuple(i for i in catalogue.implementations if not (i.library and i.name in unmasked)),
    ), failures


def _left_out(library: str, reason: str) -> Failure:
    subject = Tuning(operation="", primitive="", implementation=library)
    return Failure(
        stage="build", subject=subject, kind=FailureKind.NEEDS_FEATURE, reason=reason, severity=Severity.WARNING
    )


def _masked(compiler: Compiler, off: tuple[str, ...], variables: Mapping[str, str]) -> Compiler:
    return replace(
        compiler, flags=(*compiler.flags, *off), environment=(*compiler.environment, *sorted(variables.items()))
    )


def _off(name: str, feature: Feature) -> Iterator[str]:
    """Yield the flags that switch a feature off: -mno-aes for -maes."""
    for flag in feature.flags:
        if not flag.startswith("-m") or "=" in flag:
            raise CyclometerError(f"--without {name}: compilers have no flag that switches it off on this architecture")
        yield f"-mno-{flag.removeprefix('-m')}"


def _value(mask: schema.Mask, hidden: Mapping[str, Feature], visible: Collection[str]) -> str:
    if mask.form == "cpuid":
        return _cpuid_masks(hidden)
    named = hidden if mask.form == "off" else visible
    return mask.separator.join([*mask.always, *sorted({mask.names[name] for name in named if name in mask.names})])


def _cpuid_masks(hidden: Mapping[str, Feature]) -> str:
    """Return ~EDX and ECX of leaf 1, then ~EBX and ECX of leaf 7, as 64-bit numbers (OPENSSL_ia32cap(3))."""
    shifts = {"1.edx": (0, 0), "1.ecx": (0, 32), "7.ebx": (1, 0), "7.ecx": (1, 32)}
    words = [0, 0]
    for feature in hidden.values():
        if feature.cpuid:
            register, _, bit = feature.cpuid.rpartition(".")
            word, shift = shifts[register]
            words[word] |= 1 << (shift + int(bit))
    return f"~{words[0]:#x}:~{words[1]:#x}"
