# SPDX-License-Identifier: MIT OR Apache-2.0
"""The reader of this tree: operations, primitives, implementations, providers and toolchains from its folders."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclometer.discover import schema, toml_files
from cyclometer.discover.compositions import (
    composed_facts,
    composed_sizes,
    in_dependency_order,
    part_names,
    read_composed,
)
from cyclometer.errors import BadDeclaration, UnknownName
from cyclometer.records.catalogue import (
    Architecture,
    Catalogue,
    Compiler,
    ExchangeStep,
    Feature,
    ForeignOperation,
    Implementation,
    Operation,
    Primitive,
    VectorTemplate,
)
from cyclometer.untrusted import is_folder, with_suffixes

SOURCES = (".c", ".cc", ".cpp", ".S", ".s")
NOT_IMPLEMENTATIONS = {"attacks"}


def discover(tree: Path, toolchain: str = "") -> Catalogue:
    """Read everything in the tree.

    `toolchain` names a check-only toolchain to use instead of the measuring ones. `UnknownName` or `BadDeclaration`
    if a declaration is invalid.
    """
    operations = read_operations(tree)
    primitives = _primitives(tree, operations)
    features = read_features(tree)
    implementations = tuple([*_native_implementations(primitives), *_provider_implementations(tree, primitives)])
    for implementation in implementations:
        for feature in implementation.needs:
            if feature not in features:
                where = implementation.folders[0] / "implementation.toml"
                raise UnknownName("CPU feature", feature, features, f"{where}; toolchains/features has all")
    return Catalogue(
        operations=operations,
        primitives=primitives,
        implementations=implementations,
        compilers=tuple(_compilers(tree / "toolchains", toolchain)),
        features=features,
    )


def _folders(parent: Path) -> list[Path]:
    return sorted(path for path in parent.iterdir() if path.name[0] not in "._" and is_folder(path))


def read_operation(folder: Path) -> Operation:
    """Read operations/<operation>/, or an adapter's variant of it."""
    declared = toml_files.read(schema.Operation, folder / "operation.toml")
    return Operation(
        name=folder.name,
        folder=folder,
        title=declared.title,
        default=declared.default,
        authenticates=declared.authenticates,
        size_macros=declared.sizes,
        choose_grid=tuple(declared.choose.grid),
        profiles={name: (profile.rounds, tuple(profile.grid)) for name, profile in declared.profiles.items()},
        vectors=tuple(
            VectorTemplate(**{**vector.model_dump(), "when": tuple(vector.when)}) for vector in declared.vectors
        ),
        exchange=tuple(ExchangeStep(**step.model_dump()) for step in declared.exchange),
        views=tuple(view.model_dump() for view in declared.view),
        foreign=_foreign(declared, folder),
    )


def read_operations(tree: Path) -> dict[str, Operation]:
    """Read the operations of a tree, or the variants that an adapter has, by name."""
    folder = tree / "operations"
    return {operation.name: read_operation(operation) for operation in _folders(folder)} if folder.is_dir() else {}


def foreign_operations(tree: Path) -> dict[str, ForeignOperation]:
    """Return other projects' names for our operations, by the operation's name."""
    return {name: operation.foreign for name, operation in read_operations(tree).items() if operation.foreign}


def _foreign(declared: schema.Operation, folder: Path) -> ForeignOperation | None:
    """Return [foreign] with its defaults filled in; None if the operation has none."""
    foreign, file = declared.foreign, folder / "operation.toml"
    if foreign is None:
        return None
    if not declared.functions:
        raise BadDeclaration(f"{file}: [foreign] needs [functions]; the key is the suffix of a function's name")
    for key, names, known in (
        ("required_functions", foreign.required_functions, declared.functions),
        ("optional_sizes", foreign.optional_sizes, foreign.sizes),
        ("large_sizes", foreign.large_sizes, foreign.sizes),
    ):
        if unknown := [name for name in names if name not in known]:
            raise UnknownName(f"name in {key}", unknown[0], known, str(file))
    values: dict[str, Any] = foreign.model_dump()
    values |= {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    values["required_functions"] = values["required_functions"] or tuple(declared.functions)
    values["cycles"] = values["cycles"] or folder.name.removeprefix("crypto_")
    return ForeignOperation(functions=declared.functions, **values)


def _primitives(tree: Path, operations: dict[str, Operation]) -> dict[str, Primitive]:
    """Read plain primitives first: composed ones inherit sizes and facts from their parts."""
    plain: dict[str, Primitive] = {}
    composed: list[tuple[Path, schema.Primitive]] = []
    schemas = {name: schema.primitive_of(o.size_macros, part_names(o.folder)) for name, o in operations.items()}
    for folder in (tree / "primitives").glob("*/*/primitive.toml"):
        home = folder.parent
        if home.name.startswith("_"):
            continue
        if home.parent.name not in operations:
            raise UnknownName("operation", home.parent.name, operations, f"{home}")
        declared = toml_files.read(schemas[home.parent.name], folder)
        if declared.composition:
            composed.append((home, declared))
        else:
            primitive = _plain_primitive(home, declared, operations[home.parent.name])
            plain[primitive.key] = primitive
    primitives = dict(plain)
    for home, declared in in_dependency_order(composed):
        primitive = _composed_primitive(tree, home, declared, primitives)
        primitives[primitive.key] = primitive
    return dict(sorted(primitives.items()))


def _plain_primitive(folder: Path, declared: schema.Primitive, operation: Operation) -> Primitive:
    sizes = {}
    for name in operation.size_macros:
        value = getattr(declared, name)
        if value is None:
            raise BadDeclaration(f"{folder / 'primitive.toml'}: {operation.name} needs the key {name!r}")
        sizes[name] = value
    facts = declared.model_dump(exclude_none=True)
    facts["attacks"] = _attacks(folder)
    return Primitive(
        operation=operation.name,
        name=folder.name,
        folder=folder,
        sizes=sizes,
        associated_data=bool(declared.associated_data),
        facts=facts,
        vectors=tuple(sorted(folder.glob("vectors*.json"))),
    )


def _attacks(folder: Path) -> list[dict[str, object]]:
    files = sorted((folder / "attacks").glob("*.toml"))
    return [toml_files.read(schema.Attack, file).model_dump(mode="json", exclude_none=True) for file in files]


def _composed_primitive(tree: Path, folder: Path, declared: schema.Primitive, plain: dict[str, Primitive]) -> Primitive:
    composed, declaration = read_composed(tree / "operations" / folder.parent.name, folder, declared, plain)
    facts = declared.model_dump(exclude_none=True) | composed_facts(composed, declaration.security, plain)
    facts["attacks"] = [*facts["attacks"], *_attacks(folder)]
    return Primitive(
        operation=folder.parent.name,
        name=folder.name,
        folder=folder,
        sizes=composed_sizes(folder, declared, declaration, composed, plain),
        associated_data=declaration.associated_data,
        facts=facts,
        vectors=tuple(sorted(folder.glob("vectors*.json"))),
        composed=composed,
    )


def _native_implementations(primitives: dict[str, Primitive]) -> Iterator[Implementation]:
    """Yield an implementation for each folder below a primitive."""
    for primitive in primitives.values():
        for folder in _folders(primitive.folder):
            if folder.name not in NOT_IMPLEMENTATIONS:
                yield _implementation(primitive, folder)


def _implementation(primitive: Primitive, folder: Path) -> Implementation:
    file = folder / "implementation.toml"
    declared = toml_files.read(schema.Implementation, file) if file.exists() else schema.Implementation()
    return Implementation(
        operation=primitive.operation,
        primitive=primitive.name,
        name=folder.name,
        folders=(folder,),
        sources=_sources(folder),
        needs=tuple(declared.needs),
        packages=tuple(declared.packages),
        constant_time=declared.constant_time,
    )


def _provider_implementations(tree: Path, primitives: dict[str, Primitive]) -> Iterator[Implementation]:
    """Yield an implementation, named after the library, for each entry of a provider's tables."""
    for folder in _folders(tree / "providers"):
        declared = toml_files.read(schema.Provider, folder / "provider.toml")
        for operation, table in declared.operations.items():
            for primitive, macros in table.items():
                if f"{operation}/{primitive}" not in primitives:
                    known = [p.name for p in primitives.values() if p.operation == operation]
                    raise UnknownName(f"{operation} primitive", primitive, known, str(folder / "provider.toml"))
                yield Implementation(
                    operation=operation,
                    primitive=primitive,
                    name=folder.name,
                    folders=(folder / operation,),
                    sources=_sources(folder / operation),
                    needs=tuple(declared.needs.get(primitive, ())),
                    packages=tuple(declared.packages),
                    headers=tuple(declared.headers),
                    libraries=tuple(declared.link),
                    crate=folder if (folder / "Cargo.toml").exists() else None,
                    precompiled=folder / "precompiled.h" if (folder / "precompiled.h").exists() else None,
                    debian=declared.debian,
                    macros=tuple(macros.items()),
                    library=True,
                    first=declared.first,
                    constant_time=declared.constant_time,
                )


def _sources(folder: Path) -> tuple[Path, ...]:
    return tuple(with_suffixes(folder, SOURCES) if is_folder(folder) else ())


def emulated_toolchains(tree: Path) -> list[str]:
    """Return the names of the toolchains whose machine an emulator stands for."""
    declared = {file.stem: toml_files.read(schema.Toolchain, file) for file in (tree / "toolchains").glob("*.toml")}
    return sorted(name for name, each in declared.items() if each.emulator)


def _compilers(folder: Path, selected: str) -> Iterator[Compiler]:
    files = {file.stem: file for file in sorted(folder.glob("*.toml"))}
    if selected and selected not in files:
        raise UnknownName("toolchain", selected, files)
    for name, file in files.items():
        declared = toml_files.read(schema.Toolchain, file)
        if name == selected or (not selected and declared.purpose == "measure"):
            for variant in declared.variant:
                yield Compiler(
                    name=variant.name,
                    toolchain=name,
                    command=declared.command,
                    cxx=declared.cxx,
                    flags=tuple(variant.flags),
                    reason=variant.reason,
                    usual=variant.usual,
                    debian=declared.debian,
                    emulator=tuple(declared.emulator),
                    environment=tuple(declared.environment.items()),
                    cpu=None if declared.cpu is None else tuple(declared.cpu),
                    unlimited=declared.address_space == "unlimited",
                    provider_libraries=declared.provider_libraries,
                    target=tuple(declared.target),
                    abi=declared.abi,
                    mode=declared.mode,
                    trusted_code_only=declared.trusted_code_only,
                    builds_harness=declared.builds_harness,
                    link_with=tuple(declared.link_with.items()),
                )


def read_architecture(tree: Path) -> Architecture:
    """Return this machine's architecture."""
    machine = platform.machine()
    file = tree / "toolchains" / "architectures" / f"{machine}.toml"
    declared = toml_files.read(schema.Architecture, file) if file.is_file() else schema.Architecture()
    return Architecture(
        features=declared.features or machine, supercop=declared.supercop or machine, pqclean=declared.pqclean
    )


def read_features(tree: Path) -> dict[str, Feature]:
    """Return all CPU features by name.

    Features of other architectures are included, with a CPU flag that no machine has.
    """
    here, features = read_architecture(tree).features, {}
    for file in sorted((tree / "toolchains" / "features").glob("*.toml")):
        for name, value in toml_files.read_toml(file).items():
            declared = toml_files.validated(schema.Feature, value, file)
            cpuinfo = declared.cpuinfo if file.stem in (here, "any") else f"({file.stem})"
            features[name] = Feature(
                cpuinfo=cpuinfo,
                macro=declared.macro,
                flags=tuple(declared.flags),
                requires=tuple(declared.requires),
                cpuid=declared.cpuid or "",
                glibc=declared.glibc,
            )
    return features
