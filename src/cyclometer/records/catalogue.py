# SPDX-License-Identifier: MIT OR Apache-2.0
"""What discover finds: operations, primitives, implementations, compilers and CPU features."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class VectorTemplate:
    """What may be asked about a published vector; {field} names its fields."""

    ask: str
    expect: str
    when: tuple[str, ...] = ()  # asked only of vectors that have all these fields
    judges: bool = False  # a vector with `valid = false` must be answered "rejected"; others are not asked of it
    optional: bool = False  # an implementation may answer "absent"


@dataclass(frozen=True, kw_only=True)
class ForeignOperation:
    """Names that other projects' trees, known answers and data lines give to what belongs to an operation: [functions]
    and [foreign] of its operation.toml. The schema (declarations.ForeignOperation) explains each field."""

    functions: dict[str, str]  # suffix -> prototype, @ being the name
    sizes: dict[str, str]  # NPUBBYTES -> nonce_bytes
    optional_sizes: tuple[str, ...] = ()
    required_functions: tuple[str, ...] = ()
    pqclean_functions: tuple[str, ...] = ()
    checksums_of_2016: bool = False
    lwc_kat: tuple[str, ...] = ()
    kat_fields: tuple[str, ...] = ()
    cycles: str = ""
    records: dict[str, str] = field(default_factory=dict)  # reject -> forgery_decrypt_cycles
    ad_unit: int = 0
    packet_overhead: str = ""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A kind of function with one C API: operations/<name>/."""

    name: str
    folder: Path
    title: str
    default: bool
    size_macros: dict[str, str]  # key_bytes -> KEYBYTES
    choose_grid: tuple[str, ...]
    profiles: dict[str, tuple[int, tuple[str, ...]]]  # name -> rounds, grid lines
    vectors: tuple[VectorTemplate, ...]
    views: tuple[dict[str, Any], ...]
    foreign: ForeignOperation | None = None  # None: not looked for in foreign trees


@dataclass(frozen=True, kw_only=True)
class Composition:
    """What a composed primitive is made of."""

    name: str
    folder: Path
    parts: dict[str, tuple[str, str]]  # part -> (operation, primitive)
    tuned_first: tuple[str, ...]
    searched: str  # '' where every part is tuned first
    inner: tuple[tuple[str, str], ...] = ()  # (operation, primitive) of the parts' own parts

    @property
    def every_part(self) -> tuple[tuple[str, str], ...]:
        """(operation, primitive) of all it stands on."""
        return (*self.parts.values(), *self.inner)


@dataclass(frozen=True, kw_only=True)
class Primitive:
    """One function of an operation: primitives/<operation>/<name>/."""

    operation: str
    name: str
    folder: Path
    sizes: dict[str, int]  # key_bytes ... in bytes
    associated_data: bool
    facts: dict[str, Any]  # the declaration, attacks included; a composed one inherits its parts'
    vectors: tuple[Path, ...]
    composed: Composition | None = None

    @property
    def key(self) -> str:
        """operation/name, unique in a catalogue."""
        return f"{self.operation}/{self.name}"


@dataclass(frozen=True, kw_only=True)
class VendoredLibrary:
    """A library whose sources a foreign tree carries."""

    name: str  # as in the adapter's libraries.toml
    folder: Path  # with its sources, in the tree
    recipe: Path  # the adapter's script that builds it
    asked: bool  # for, by an include or because something was undefined without it


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """How an implementation of another project's tree is compiled: as it stands, in the sandbox, with all
    but its API made local, so that it neither sees nor replaces what surrounds it."""

    tree: Path  # what the sandbox shows of the machine, besides compilers and system headers
    home: Path  # the implementation's folder
    folders: tuple[Path, ...]  # include path
    defines: tuple[str, ...]  # such as CRYPTO_NAMESPACE(name)=salsa20_##name
    headers: tuple[tuple[str, str], ...]  # generated ones: file name, text
    exported_headers: tuple[tuple[str, str], ...]  # what dependents include: file name, text
    api: Path  # the header that defines its sizes
    prefix: str  # ... as macros that begin so
    sizes: tuple[str, ...]  # ... and end so: BYTES
    names: tuple[tuple[str, str], ...]  # function of our API or of the adapter's -> symbol
    requires: tuple[str, ...] = ()  # keys of primitives of the same tree, built and tuned first
    oracle: tuple[tuple[str, str], ...] = ()  # verb of the adapter -> what it must answer
    vendored: tuple[VendoredLibrary, ...] = ()  # libraries of which parts become part of its object
    overridden: tuple[str, ...] = ()  # files of its folder instead of which the generated ones of that name are used


@dataclass(frozen=True, kw_only=True)
class Implementation:
    """Source code for a primitive: a folder, a provider's glue file, or a composition's searched part."""

    operation: str
    primitive: str
    name: str
    folders: tuple[Path, ...]  # where its <operation>_types.h and headers are found
    sources: tuple[Path, ...]
    needs: tuple[str, ...] = ()  # CPU features
    packages: tuple[str, ...] = ()  # pkg-config names
    headers: tuple[str, ...] = ()  # that must be there where pkg-config knows nothing of them
    debian: str = ""  # the package that has them
    macros: tuple[tuple[str, str], ...] = ()
    constant_time: bool | None = None
    library: bool = False  # glue to code that is compiled already
    first: bool = True  # stands in the first table
    libraries: tuple[str, ...] = ()  # linker options for what pkg-config does not know
    crate: Path | None = None  # folder of the Rust package that it is glue to
    precompiled: Path | None = None  # a header that its compiler may read once for all such glue
    glue: tuple[Path, ...] = ()  # an adapter's files, ours, that make a foreign API one of our operations
    foreign: Foreign | None = None

    @property
    def key(self) -> str:
        """operation/primitive/name."""
        return f"{self.operation}/{self.primitive}/{self.name}"


@dataclass(frozen=True, kw_only=True)
class Compiler:
    """One command line, options included."""

    name: str
    toolchain: str
    command: str
    cxx: str
    flags: tuple[str, ...]
    reason: str
    debian: str = ""
    emulator: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    cpu: tuple[str, ...] | None = None  # CPU features of its target; None = the host's
    unlimited: bool = False  # no address-space limit for its executables
    provider_libraries: bool = True
    builds_harness: bool = False  # compiles harness and loops, whatever is under test
    link_with: tuple[tuple[str, str], ...] = ()  # command -> driver that links the same objects faster
    checker_flags: tuple[str, ...] = ()  # of a checker, for harness and loops too
    version: str = ""  # filled in once it has passed its sanity program


@dataclass(frozen=True, kw_only=True)
class Feature:
    """What an implementation may need of the machine; an empty string where nothing is asked."""

    cpuinfo: str  # the CPU flag that says it is there
    macro: str  # what the compiler defines when its target has it
    flags: tuple[str, ...]  # that let the code use it


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """Names of this machine's architecture: toolchains/architectures/<machine>.toml."""

    features: str  # file of toolchains/features
    supercop: str
    pqclean: str  # '' where PQClean has nothing for it


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """All that discover found."""

    operations: dict[str, Operation]
    primitives: dict[str, Primitive]  # by Primitive.key
    implementations: tuple[Implementation, ...]
    compilers: tuple[Compiler, ...]  # for measuring, or of the toolchain asked for
    features: dict[str, Feature]
    asked: tuple[str, ...] = ()  # of a foreign tree: the keys that were asked for; the rest is what they stand on
    origin: str = ""  # of a foreign tree: what it was taken for, and how much of it is asked for
