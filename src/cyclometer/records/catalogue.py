# SPDX-License-Identifier: MIT OR Apache-2.0
"""The catalogue: operations, primitives, implementations, compilers and CPU features."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class VectorTemplate:
    """A template for requests about published vectors; {field} is replaced by a vector's field."""

    ask: str  # the request
    expect: str  # the answer
    when: tuple[str, ...] = ()  # applies only to vectors that have all these fields
    judges: bool = False  # applies to vectors with `valid = false`, too; the answer must be "rejected" then
    optional: bool = False  # an implementation may answer "absent"


@dataclass(frozen=True, kw_only=True)
class ExchangeStep:
    """A request to one of two implementations, which take turns, and what its answer consists of.

    {field} in the request is replaced by a field that is known. A field of the answer that is known must be the same.
    """

    ask: str
    answer: str


@dataclass(frozen=True, kw_only=True)
class ForeignOperation:
    """What other projects' trees, known answers and data lines call the parts of an operation.

    These are [functions] and [foreign] of operation.toml; discover/schema.py explains each field.
    """

    functions: dict[str, str]  # suffix -> prototype, in which @ is the name
    sizes: dict[str, str]  # NPUBBYTES -> nonce_bytes
    optional_sizes: tuple[str, ...] = ()
    large_sizes: tuple[str, ...] = ()
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
    authenticates: bool  # no scheme accepts a changed packet or tag
    size_macros: dict[str, str]  # key_bytes -> KEYBYTES
    choose_grid: tuple[str, ...]
    profiles: dict[str, tuple[int, tuple[str, ...]]]  # name -> rounds, grid lines
    vectors: tuple[VectorTemplate, ...]
    exchange: tuple[ExchangeStep, ...]
    views: tuple[dict[str, Any], ...]
    foreign: ForeignOperation | None = None  # None: foreign trees do not have it


@dataclass(frozen=True, kw_only=True)
class Composition:
    """The parts of a composed primitive."""

    name: str
    folder: Path
    parts: dict[str, tuple[str, str]]  # part -> (operation, primitive)
    tuned_first: tuple[str, ...]
    searched: str  # the part whose implementations are all tried; '' if every part is tuned first
    inner: tuple[tuple[str, str], ...] = ()  # (operation, primitive) of the parts' own parts

    @property
    def every_part(self) -> tuple[tuple[str, str], ...]:
        """The (operation, primitive) of each part, and of the parts' own parts."""
        return (*self.parts.values(), *self.inner)


@dataclass(frozen=True, kw_only=True)
class Primitive:
    """One function of the operation's kind: primitives/<operation>/<name>/."""

    operation: str
    name: str
    folder: Path
    sizes: dict[str, int]  # key_bytes and the like, in bytes
    associated_data: bool
    facts: dict[str, Any]  # its primitive.toml, with attacks; a composed primitive inherits those of its parts
    vectors: tuple[Path, ...]
    composed: Composition | None = None
    same_as: str = ""  # key of the system of ours that a user's folder computes

    @property
    def key(self) -> str:
        """The key `operation/name`, unique in a catalogue."""
        return f"{self.operation}/{self.name}"


@dataclass(frozen=True, kw_only=True)
class VendoredLibrary:
    """A library whose sources a foreign tree contains, and which is built from there."""

    name: str  # as in the adapter's libraries.toml
    folder: Path  # its sources in the tree
    recipe: Path  # the adapter's script that builds it
    asked: bool  # needed: a source includes its header, or a function was undefined without it


@dataclass(frozen=True, kw_only=True)
class Oracle:
    """A checksum or a known answer, which the adapter's code in an executable computes anew."""

    name: str
    expected: str  # "": the tree has published none, and implementations must agree
    is_own: bool = False  # our check of functions that are not measured: it confirms nothing published
    is_checksum: bool = False  # thousands of calls between canaries, which take some implementations minutes
    is_long: bool = False  # far more work than the one before


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """How a foreign implementation is compiled: unmodified, in the sandbox.

    Only the symbols of its API stay global, so that it can neither call nor replace anything around it.
    """

    tree: Path  # readable in the sandbox, besides compilers and system headers
    home: Path  # the implementation's folder
    folders: tuple[Path, ...]  # include path
    defines: tuple[str, ...]  # such as CRYPTO_NAMESPACE(name)=salsa20_##name
    headers: tuple[tuple[str, str], ...]  # generated headers: file name, text
    exported_headers: tuple[tuple[str, str], ...]  # headers that its dependents include: file name, text
    api: Path  # the header that defines its sizes as macros
    prefix: str  # with which the names of those macros begin
    sizes: tuple[str, ...]  # with which they end, such as BYTES
    large_sizes: tuple[str, ...]  # those of them that may be megabytes
    names: tuple[tuple[str, str], ...]  # function of our API or of the adapter's -> symbol
    requires: tuple[str, ...] = ()  # keys of primitives of the same tree, built and tuned first
    oracles: tuple[Oracle, ...] = ()  # in the order in which they are asked
    vectors: tuple[Path, ...] = ()  # its own files of known answers, beside those of the primitive
    vendored: tuple[VendoredLibrary, ...] = ()  # libraries that may be linked into its object
    overridden: tuple[str, ...] = ()  # files of its folder that generated headers of the same name replace
    renaming: tuple[Path, ...] = ()  # headers of its own that define names of functions of the API as macros
    without_context: Path | None = None  # of ours: calls functions that have a context, if those in `renaming` do


@dataclass(frozen=True, kw_only=True)
class Implementation:
    """Source code that computes a primitive: a folder, a provider's glue file, or a composition's searched part."""

    operation: str
    primitive: str
    name: str
    folders: tuple[Path, ...]  # where its <operation>_types.h and headers are found
    sources: tuple[Path, ...]
    needs: tuple[str, ...] = ()  # CPU features
    packages: tuple[str, ...] = ()  # pkg-config names
    headers: tuple[str, ...] = ()  # headers of libraries that pkg-config does not know
    debian: str = ""  # the Debian package that contains them
    macros: tuple[tuple[str, str], ...] = ()
    constant_time: bool | None = None
    library: bool = False  # glue for code that is compiled already
    first: bool = True  # part of the first table
    libraries: tuple[str, ...] = ()  # linker options for libraries that pkg-config does not know
    crate: Path | None = None  # folder of the Rust package that it is glue for
    precompiled: Path | None = None  # a header that is precompiled once for all glue of the provider
    glue: tuple[Path, ...] = ()  # files of our adapter that translate a foreign API to one of our operations
    foreign: Foreign | None = None

    @property
    def key(self) -> str:
        """The key `operation/primitive/name`."""
        return f"{self.operation}/{self.primitive}/{self.name}"

    @property
    def is_reference(self) -> bool:
        """Whether its name says that it is a reference implementation: `ref`, or composed with one."""
        return self.name == "ref" or self.name.endswith("-ref")


@dataclass(frozen=True, kw_only=True)
class Compiler:
    """One command line, options included."""

    name: str
    toolchain: str
    command: str
    cxx: str
    flags: tuple[str, ...]
    reason: str
    usual: bool = True  # a campaign tries it without being asked to
    debian: str = ""
    emulator: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    cpu: tuple[str, ...] | None = None  # CPU features of its target; None: the host's
    unlimited: bool = False  # its executables have no address-space limit
    provider_libraries: bool = True  # installed libraries can be linked
    target: tuple[str, ...] = ()  # flags that choose the target, for everything that it makes
    abi: str = ""  # of its programs, if their system calls are not this machine's
    mode: str = ""  # what it makes of this machine, such as "32-bit"; nothing is timed with other than native ones
    trusted_code_only: bool = False  # constructors of what it builds run before the harness confines the program
    builds_harness: bool = False  # preferred as the base compiler for harness and loops
    link_with: tuple[tuple[str, str], ...] = ()  # command -> driver that links the same objects faster
    checker_flags: tuple[str, ...] = ()  # a checker's flags, which harness and loops get, too
    instruction_counter: tuple[str, ...] = ()  # a checker's other emulator, which counts what is executed
    version: str = ""  # known once its sanity program has passed

    @property
    def sanitizer_flags(self) -> tuple[str, ...]:
        """The flags, if any, with which it inserts checks of every access and operation."""
        return tuple(flag for flag in self.flags if flag.startswith(("-fsanitize", "-fno-sanitize")))


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A CPU feature that implementations may need; an empty string means that nothing is checked."""

    cpuinfo: str  # the flag of /proc/cpuinfo that shows it
    macro: str  # the macro that a compiler predefines if its target has it
    flags: tuple[str, ...]  # compiler flags to use it
    requires: tuple[str, ...] = ()  # features without which this one is not used either
    cpuid: str = ""  # leaf.register.bit
    glibc: str = ""  # its name in the tunable glibc.cpu.hwcaps


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """What others call this machine's architecture: toolchains/architectures/<machine>.toml."""

    features: str  # file of toolchains/features
    supercop: str
    pqclean: str  # '' if PQClean has no code for it


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """Everything that discover found."""

    operations: dict[str, Operation]
    primitives: dict[str, Primitive]  # by Primitive.key
    implementations: tuple[Implementation, ...]
    compilers: tuple[Compiler, ...]  # for measuring, or those of the selected toolchain
    features: dict[str, Feature]
    asked: tuple[str, ...] = ()  # of a foreign tree: the selected keys; the other primitives are their dependencies
    origin: str = ""  # of a foreign tree: the kind of tree, and the selected part of it
