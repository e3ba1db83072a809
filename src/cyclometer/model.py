# SPDX-License-Identifier: MIT OR Apache-2.0
"""The records that go down the line: discover, build, check, choose, measure, store, analyse, report.

Frozen, keyword-only, without behaviour beyond naming themselves. Sizes are in
bytes, times of the timed process in units of the named counter.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from enum import StrEnum, auto
from pathlib import Path
from typing import Any

import pyarrow as pa

FORMAT = 1
"""Version of a stored run. A reader upgrades older ones; raw data is never rewritten."""

SERIES_TIMINGS = 15
"""Timings of a sample, as in the paper; a series of slow calls has fewer."""

DISTURBED_ABOVE = 1.04
"""A moment whose load/chain ratio exceeds the quiet level by more than this factor is disturbed (harness/moments.h)."""

OTHER_DISTURBANCE = 100
"""Added to that factor where something else than load disturbed a sample, so that it ranks last (harness/moments.h)."""

VECTORS_PASSED = "vectors_passed"
CONSTANT_TIME = "constant_time"
"""The Size that is a number of vectors instead of bytes."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What a record is about; an empty string where a part does not apply."""

    operation: str
    primitive: str
    implementation: str = ""
    compiler: str = ""

    def __str__(self) -> str:
        parts = (self.operation, self.primitive, self.implementation, self.compiler)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class Question:
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
    vectors: tuple[Question, ...]
    views: tuple[dict[str, Any], ...]
    foreign: ForeignOperation | None = None  # None: not looked for in foreign trees


@dataclass(frozen=True, kw_only=True)
class Composed:
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
    composed: Composed | None = None

    @property
    def key(self) -> str:
        """operation/name, unique in a catalogue."""
        return f"{self.operation}/{self.name}"


@dataclass(frozen=True, kw_only=True)
class Carried:
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
    published: tuple[tuple[str, str], ...]  # what dependents include: file name, text
    api: Path  # the header that defines its sizes
    prefix: str  # ... as macros that begin so
    sizes: tuple[str, ...]  # ... and end so: BYTES
    names: tuple[tuple[str, str], ...]  # function of our API or of the adapter's -> symbol
    requires: tuple[str, ...] = ()  # keys of primitives of the same tree, built and tuned first
    oracle: tuple[tuple[str, str], ...] = ()  # verb of the adapter -> what it must answer
    carried: tuple[Carried, ...] = ()  # libraries of which parts become part of its object
    replaced: tuple[str, ...] = ()  # files of its folder instead of which the generated ones of that name are used


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


@dataclass(frozen=True, kw_only=True)
class Executable:
    """A built (implementation, compiler), ready to be asked for its verbs."""

    subject: Subject
    path: Path
    compiler: Compiler
    code_bytes: int
    objects: tuple[Path, ...]  # of the implementation alone, for a composition or a dependent to link
    implementation: Implementation


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The samples of one round of one executable, with the columns of SAMPLES that the process knows."""

    subject: Subject
    control: bool
    round: int
    chain_cycles: int
    table: pa.Table


class FailureKind(StrEnum):
    """The kinds of failure, as harness/failure_kinds.def lists and explains them. Every verdict depends on the kind,
    never on the words of a reason."""

    WRONG_OUTPUT = auto()
    NOT_DETERMINISTIC = auto()
    SAME_OUTPUT = auto()
    INPUT_MODIFIED = auto()
    BUFFER_OVERRUN = auto()
    OUT_OF_BOUNDS = auto()
    FORGERY_ACCEPTED = auto()
    VALID_REJECTED = auto()
    CALL_FAILED = auto()
    SECRET_EXPOSED = auto()
    STATE_REUSED = auto()
    OWN_RANDOM = auto()
    RANDOM_MISUSED = auto()
    FUNCTION_MISSING = auto()
    CRASH = auto()
    ILLEGAL_INSTRUCTION = auto()
    ABORTED = auto()
    EXITED = auto()
    FORBIDDEN_SYSCALL = auto()
    TIME_LIMIT = auto()
    MEMORY_LIMIT = auto()
    HARNESS_ERROR = auto()
    OUTPUT_LIMIT = auto()
    KILLED = auto()
    NO_VERDICT = auto()
    TAMPERED_RECORDS = auto()
    DISAGREEMENT = auto()
    TIME_DEPENDS_ON_SECRET = auto()
    CONSTANT_TIME = auto()
    NOT_CHECKED = auto()
    DOES_NOT_COMPILE = auto()
    DOES_NOT_LINK = auto()
    TOOL_FAILED = auto()
    NEEDS_FEATURE = auto()
    NEEDS_LIBRARY = auto()
    NEEDS_TOOL = auto()
    SKIPPED = auto()
    UNKNOWN = auto()

    @classmethod
    def _missing_(cls, value: object) -> FailureKind:
        """Read a kind that a newer Cyclometer has stored."""
        return cls.UNKNOWN


UNAVAILABLE = frozenset(
    {FailureKind.NEEDS_FEATURE, FailureKind.NEEDS_LIBRARY, FailureKind.NEEDS_TOOL, FailureKind.SKIPPED}
)
"""Kinds that only say what this machine lacks: they do not make the code wrong."""


class Severity(StrEnum):
    """What a failure means for the implementation."""

    ERROR = auto()  # it is left out
    WARNING = auto()  # it is used


@dataclass(frozen=True, kw_only=True)
class Failure:
    """What went wrong, where, and the last words of the compiler or program."""

    stage: str  # discover | build | check | choose | measure
    subject: Subject
    kind: FailureKind
    reason: str  # one line: "needs avx512f", "accepts a forgery: ..."
    detail: str = ""  # compiler's or program's last words
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A place where time depends on a secret, or may."""

    what: str  # one of LEAKS, or an instruction: "has div"
    where: str  # function (file:line)


@dataclass(frozen=True, kw_only=True)
class ConstantTime:
    """The verdict on one (implementation, compiler line)."""

    subject: Subject
    line: str  # as it was compiled for the checker
    claimed: bool | None
    findings: tuple[Finding, ...]
    unchecked: str = ""  # why there is no verdict
    library: bool = False  # a provider's glue: not the code that was asked about

    @property
    def constant(self) -> bool:
        """No branch and no address was seen to depend on a secret."""
        return not self.unchecked and not any(f.what in LEAKS for f in self.findings)


BRANCHES_ON_SECRET, ADDRESS_DEPENDS_ON_SECRET = LEAKS = ("branches on a secret", "address depends on a secret")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One tuning tried by the choose stage."""

    subject: Subject
    cycles: float  # median of the choose work load, in core cycles or counter units
    timings: int  # how many it was given before it fell out of the race; 0: its cycles are an earlier race's
    chosen: bool


@dataclass(frozen=True, kw_only=True)
class Size:
    """A number that goes with a chosen tuning: a size in bytes, `vectors_passed`, or `constant_time` (1, or 0
    when something that depends on a secret was seen; absent when it was not checked)."""

    subject: Subject
    name: str  # expanded_key_bytes | packet_overhead_bytes | code_bytes | vectors_passed | ...
    value: int


@dataclass(frozen=True, kw_only=True)
class RunInfo:
    """run.json: what was done, on what, with what. Everything here is a JSON value."""

    format: int
    run: str  # folder name: 2026-11-21T21-00-00-quick
    machine: str
    started: datetime.datetime
    finished: datetime.datetime | None  # None while it is under way
    profile: str
    command: tuple[str, ...]
    version: str
    contracts: dict[str, str]  # operation -> hash
    counter: dict[str, Any]  # name, unit ("core cycles" | "TSC ticks" | "ns"), per_second, chain_cycles
    facts: dict[str, Any]  # CPU, kernel, governor, turbo, noise ... from cyclometer.host
    compilers: dict[str, str]  # name -> command line and version
    primitives: dict[str, dict[str, Any]]  # "operation/primitive" -> its declaration, attacks included
    plan: dict[str, Any]  # what a resumed run must do the same way: seed, rounds, grids, systems


SUBJECT_FIELDS = [
    ("operation", pa.dictionary(pa.int16(), pa.string())),
    ("primitive", pa.dictionary(pa.int16(), pa.string())),
    ("implementation", pa.dictionary(pa.int16(), pa.string())),
    ("compiler", pa.dictionary(pa.int16(), pa.string())),
]

SAMPLES = pa.schema(
    [
        ("run", pa.dictionary(pa.int16(), pa.string())),
        ("machine", pa.dictionary(pa.int16(), pa.string())),
        *SUBJECT_FIELDS,
        ("control", pa.bool_()),  # the A/A twin: the same executable measured as if it were another
        ("round", pa.int16()),
        ("measure", pa.dictionary(pa.int16(), pa.string())),  # encrypt, decrypt, reject, expandkey, empty ...
        ("length", pa.int32()),  # packet (plaintext) bytes
        ("ad_length", pa.int32()),  # associated-data bytes
        ("keys", pa.int32()),  # active keys; 1 = the same expanded key every time
        ("alignment", pa.int16()),  # address of input and output modulo 64
        ("counter", pa.dictionary(pa.int16(), pa.string())),
        ("context_switches", pa.int16()),  # during the series that was kept
        ("retakes", pa.int16()),  # series thrown away before it because the moment was disturbed
        ("tsc", pa.int64()),  # ticks of the time-stamp counter over the whole series, 0 where there is none
        # The reference kernels timed just before and after the series, in counter units, overhead
        # included: `chain` is chain_cycles dependent 1-cycle additions (the core's clock), `load` fills
        # the execution ports and L1 (a busy neighbour on the same core shows here).
        ("chain_before", pa.int32()),
        ("chain_after", pa.int32()),
        ("load_before", pa.int32()),
        ("load_after", pa.int32()),
        ("series", pa.list_(pa.int64())),  # raw successive timings, counter units, overhead included
    ]
)
"""One row a sample: samples.parquet of a run."""

FAILURES = pa.schema(
    [
        ("stage", pa.string()),
        *SUBJECT_FIELDS,
        ("reason", pa.string()),
        ("detail", pa.string()),
        ("kind", pa.string()),
        ("severity", pa.string()),
    ]
)
TRIALS = pa.schema(
    [*SUBJECT_FIELDS, ("cycles", pa.float64()), ("timings", pa.int32()), ("chosen", pa.bool_())]
)
SIZES = pa.schema([*SUBJECT_FIELDS, ("name", pa.string()), ("value", pa.int64())])
