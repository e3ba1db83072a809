# SPDX-License-Identifier: MIT OR Apache-2.0
"""The TOML files of the tree: each class is the manual of one kind; defaults apply when a key is absent."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from cyclometer.records.length_unit import BYTES


class Declaration(BaseModel):
    """Base of all declarations: unknown keys are refused and values are not coerced."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class Units(Declaration):
    """[units] of an operation: what a variable of its measures counts, as a plural."""

    length: Annotated[str, Field(pattern=r"^[a-z]+s$")] = BYTES


class Profile(Declaration):
    """A named grid: the number of rounds, and the grid lines as the executable takes them."""

    rounds: int
    grid: list[str]


class Choose(Declaration):
    """The small work load on which tunings are compared."""

    grid: list[str]


class Vectors(Declaration):
    """How to request the answer to one published vector and what it must be; {field} inserts the vector's hex field.

    See records.catalogue.VectorTemplate.
    """

    ask: str
    expect: str
    when: list[str] = []
    judges: bool = False
    optional: bool = False


class Exchange(Declaration):
    """A request to one of two implementations and the fields of its answer; see records.catalogue.ExchangeStep."""

    ask: str
    answer: str


class View(Declaration):
    """A table whose rows are primitives; `columns` is the variable that runs across, or "size" for sizes alone.

    `per` names a variable to divide cycles by.
    """

    name: str
    title: str
    columns: str
    measures: list[str] = []
    show: list[int] = []
    where: dict[str, int] = {}
    sizes: list[str] = []
    tunings: bool = False
    per: str = ""


class ForeignOperation(Declaration):
    """[foreign] of an operation: the names that other projects' trees, known answers and data lines use.

    Operations without it are not looked for in foreign trees. It needs [functions].
    """

    # Macros of an api.h, without CRYPTO_ -> the corresponding key of [sizes], a sum of them (a+b), or "".
    sizes: dict[str, str]
    # Those of the macros that an api.h may lack.
    optional_sizes: list[str] = []
    # Those that may be megabytes, such as keys; the harness has the others on its stack.
    large_sizes: list[str] = []
    # Suffixes of the functions that identify the operation of a folder that does not name it; none: all functions.
    required_functions: list[str] = []
    # Suffixes of functions that PQClean has in addition to [functions].
    pqclean_functions: list[str] = []
    # Whether checksums of SUPERCOP 20160716 and before can be computed, which is so if they use no random bytes.
    checksums_of_2016: bool = False
    # Kinds of known-answer files in NIST's lightweight packages: HASH for LWC_HASH_KAT_256.txt.
    lwc_kat: list[str] = []
    # Fields of a record in NIST's PQCkemKAT_*.rsp, in order; adapters/_nist_kat/<operation>.c computes them.
    kat_fields: list[str] = []
    # The measure that SUPERCOP's data lines call `cycles`; none: the operation's name without crypto_.
    cycles: str = ""
    # Measures whose records in data lines are not called <measure>_cycles -> the name of the record.
    records: dict[str, str] = {}
    # A record's length field is this x bytes of associated data + bytes of message; 0: no associated data.
    ad_unit: Annotated[int, Field(ge=0)] = 0
    # The size macro by which every packet is longer than its message: packet_overhead_bytes of imported runs.
    packet_overhead: str = ""


Prototype = Annotated[str, Field(pattern=r"^\w.*@\(.*\);$")]


class Operation(Declaration):
    """operations/<operation>/operation.toml.

    `functions` are those of foreign trees: suffix of the name -> C prototype, in which @ is the name. Where our own
    API differs, glue in adapters/ connects the two.
    """

    title: str
    default: bool = False
    authenticates: bool = False  # no scheme accepts a changed packet or tag, and known answers need not tell
    units: Units = Units()
    sizes: dict[str, str]
    functions: dict[str, Prototype] = {}
    foreign: ForeignOperation | None = None
    choose: Choose
    profiles: dict[str, Profile]
    vectors: list[Vectors] = []
    exchange: list[Exchange] = []
    view: list[View] = []


class Pairs(Declaration):
    """[pairs] of a composition: every combination of its parts is a system, without a file of its own."""

    name: str  # {part} stands for the name of a part; it contains "+"
    cost: dict[str, str] = {}  # part -> the measure of its operation that is its share of a packet's cost
    only: dict[str, str] = {}  # part -> pattern that its name must match
    except_: Annotated[dict[str, str], Field(alias="except")] = {}  # part -> pattern that it must not match


class Composition(Declaration):
    """operations/<operation>/compositions/<composition>/composition.toml."""

    description: str
    source: str
    parts: dict[str, str]
    tuned_first: list[str] = []
    searched: str = ""
    security: str = ""  # the part whose security level and attacks count; default: `searched`, or the first tuned
    associated_data: bool = False
    pairs: Pairs | None = None
    sizes: dict[str, list[str]]  # each is a sum of numbers, part.size, and min(...) of these


POWER = r"^2\^-?\d{1,5}(\.\d{1,9})?$"
AMOUNT = r"^2\^\d{1,5}(\.\d{1,9})? (bits|bytes|words|blocks|packets)$"
Bits = Annotated[int, Field(ge=0, le=99_999)]
Bytes = Annotated[int, Field(ge=0, le=1 << 62)]
Year = Annotated[int, Field(ge=1, le=9999)]


class Attack(Declaration):
    """primitives/<operation>/<primitive>/attacks/<attack>.toml: submitted without touching the primitive.

    docs/rank.md says which attacks count for a workload. A figure that its source does not give is left out.
    """

    who: list[str]
    year: Year
    published: datetime.date | None = None  # the day, if known; otherwise the attack counts from the start of `year`
    breaks: str
    cost: str
    # What the attacker may do. "nonce-respecting" is any use that the designers allow; "other use" is one they exclude.
    model: Literal["nonce-respecting", "nonce reuse", "related keys", "weak keys", "many targets", "other use"] = (
        "nonce-respecting"
    )
    time: Annotated[str, Field(pattern=POWER)] | None = None  # operations
    data: Annotated[str, Field(pattern=AMOUNT)] | None = None  # words have 32 bits, blocks 128
    keys: Literal["one", "many"] = "one"  # under which the data may be
    memory: Annotated[str, Field(pattern=POWER)] | None = None  # in the unit of the source
    probability: Annotated[str, Field(pattern=POWER)] | None = None
    remaining_bits: Bits
    disputed: str = ""  # who replies, where, and what
    citation: str
    checked: bool = False


class Mode(Declaration):
    """modes/<mode>.toml: this machine with another toolchain, or without some features of its CPU."""

    title: str
    toolchain: str = ""  # one with `purpose = "mode"`
    without: list[str] = []
    published: str = ""  # how the machines of published figures end that are in this mode


class Primitive(Declaration):
    """primitives/<operation>/<primitive>/primitive.toml: its properties, or its composition.

    The operation adds its sizes, a composition its parts: see primitive_of.
    """

    description: str
    associated_data: bool | None = None
    max_bytes: Bytes | None = None  # of a message, if the definition sets a limit that checks could exceed (1 MiB)
    max_ad_bytes: Bytes | None = None  # of associated data, if an implementation may refuse more (64 KiB are checked)
    designers: list[str] = []
    year: Year | None = None
    source: str = ""
    security_bits: Bits | None = None
    security_bits_quantum: Bits | None = None
    security_source: str = ""
    model: Literal["nonce-respecting", "misuse-resistant"] = "nonce-respecting"  # for which the level is claimed
    block_bits: Bits | None = None  # of a block cipher in a mode that is proved up to the birthday bound
    forgery_bits: Bits | None = None  # b blocks of 16 bytes are forged with probability <= b/2^this; none: 2^-tag bits
    data_limit: Annotated[str, Field(pattern=AMOUNT)] | None = None  # under one key
    data_limit_source: str = ""
    licence: str = ""
    composition: str | None = None
    first: bool | None = None  # belongs to the first table: measured when no system is named


def primitive_of(sizes: Iterable[str], parts: Iterable[str]) -> type[Primitive]:
    """Extend Primitive with the keys of an operation's sizes and of its compositions' parts."""
    keys: dict[str, Any] = {name: (Annotated[int, Field(ge=0)] | None, None) for name in sizes}
    keys |= {name: (str | None, None) for name in parts}
    return create_model("Primitive", __base__=Primitive, **keys)


class Implementation(Declaration):
    """primitives/<operation>/<primitive>/<implementation>/implementation.toml."""

    needs: list[str] = []
    constant_time: bool | None = None
    packages: list[str] = []


class Mask(Declaration):
    """[mask] of a provider: how its library is kept from using a feature of the CPU (--without).

    `unneeded` says why it need not be. A provider without [mask] is left out wherever a feature is.
    """

    source: str = ""  # where that is documented
    unneeded: str = ""
    variable: str = ""  # of the environment
    form: Literal["cpuid", "off", "on"] = "off"  # the value: masks of CPUID bits; names switched off; names left on
    names: dict[str, str] = {}  # feature -> the library's name
    separator: str = ","
    always: list[str] = []  # parts of the value that name no feature


class Provider(Declaration):
    """providers/<library>/provider.toml; one table per operation, primitive -> the glue file's macros."""

    name: str
    packages: list[str] = []  # for pkg-config
    headers: list[str] = []  # must exist if there is no pkg-config file
    link: list[str] = []  # linker options if there is no pkg-config file
    debian: str
    constant_time: bool | None = None
    needs: dict[str, list[str]] = {}
    first: bool = False  # belongs to the first table, that of `cyclometer run` without a name
    mask: Mask | None = None
    operations: dict[str, dict[str, dict[str, str]]]


class ForeignLibrary(Declaration):
    """An entry of adapters/<kind>/libraries.toml: a library that foreign implementations include."""

    headers: list[str]  # first path component of the included name
    packages: list[str] = []  # for pkg-config
    link: list[str] = []  # linker options if there is no pkg-config file
    carried: str = ""  # folder of the tree that may hold its sources; libraries/<name>.sh builds them
    tools: list[str] = []  # programs that the build needs
    debian: str


class Variant(Declaration):
    """One compiler: a command line, options included, and the reason to try it."""

    name: str
    flags: list[str]
    reason: str
    usual: bool = True  # false: campaigns try it if it is named, and with --all-compilers


class Toolchain(Declaration):
    """toolchains/<toolchain>.toml."""

    description: str
    command: str
    cxx: str
    debian: str
    purpose: Literal["measure", "check", "mode"] = "measure"  # mode: measures, but only if it is named
    emulator: list[str] = []
    environment: dict[str, str] = {}
    cpu: list[str] | None = None
    address_space: str = "limited"
    provider_libraries: bool = True
    target: list[str] = []  # flags that choose the target: for harness, implementations and linker alike
    abi: Literal["", "i386"] = ""  # of its programs, if their system calls are not this machine's
    mode: str = ""  # what it makes of this machine, such as "32-bit"; with `purpose = "mode"`
    trusted_code_only: bool = False  # constructors run before the harness confines the program
    builds_harness: bool = False  # the first such compiler builds the harness; if there is none, the first compiler
    link_with: dict[str, str] = {}  # command -> driver that links the same objects faster
    variant: list[Variant]


class Lacks(Declaration):
    """CPU flags, as /proc/cpuinfo names them, whose instructions a checker does not support."""

    features: list[str]


class Checker(Declaration):
    """toolchains/checkers/<checker>.toml: how the measuring compilers' command lines change for it."""

    description: str
    emulator: list[str]
    instruction_counter: list[str]
    debian: str
    flags: list[str]
    replace: dict[str, str] = {}
    lacks: Lacks


class Architecture(Declaration):
    """toolchains/architectures/<machine>.toml, named after the machine as `uname -m` prints it.

    That name is also the default of every key except `pqclean`.
    """

    features: str = ""  # file of toolchains/features
    supercop: str = ""  # in the files `architectures` of SUPERCOP's trees
    pqclean: str = ""  # `architecture` in META.yml; none: PQClean has nothing for it


class Feature(Declaration):
    """An entry of toolchains/features/<architecture>.toml, or of any.toml."""

    cpuinfo: str = ""
    macro: str = ""
    flags: list[str] = []
    requires: list[str] = []  # features without which this one is not used either
    cpuid: Annotated[str, Field(pattern=r"^[17]\.e[bcd]x\.\d+$")] | None = None  # leaf.register.bit on x86
    glibc: str = ""  # its name in the tunable glibc.cpu.hwcaps
