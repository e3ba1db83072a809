# SPDX-License-Identifier: MIT OR Apache-2.0
"""Each recipe of CONTRIBUTING.md, performed: additions are new files or folders in one place.

The fixture `tree` fails a test that edits a file which was there before.
"""

from __future__ import annotations

import importlib
import io
import json
import pkgutil
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cyclometer import cli, report
from cyclometer.cli import application
from cyclometer.discover import discover
from cyclometer.records.table import Report
from cyclometer.report import formats
from cyclometer.store import open_runs
from support.command_line import CommandLine
from support.faulty_implementations import FaultyImplementation
from support.foreign_tree import ForeignTree
from support.small_tree import SmallTree
from support.synthetic import process, run_info, write_run


@pytest.fixture
def tree(tree: SmallTree) -> Iterator[SmallTree]:
    """Grow a small tree in which files may be added and none edited."""
    before = {path: path.read_bytes() for path in tree.root.rglob("*") if path.is_file()}
    yield tree
    assert [path for path, content in before.items() if path.read_bytes() != content] == []


def test_an_implementation_is_a_folder(tree: SmallTree, cyclometer: CommandLine) -> None:
    FaultyImplementation(name="mine").add_to(tree)
    assert cyclometer("check", "salsa20").line("ok", "crypto_stream salsa20 mine")


def test_an_implementation_may_be_of_several_files_and_in_assembly(tree: SmallTree, cyclometer: CommandLine) -> None:
    FaultyImplementation(name="mixed", includes="void nothing(void);", before="nothing();").add_to(tree)
    tree.write(
        "primitives/crypto_stream/salsa20/mixed/nothing.S",
        """
        .hidden nothing
        .globl nothing
        nothing: ret
        .section .note.GNU-stack,"",%progbits
        """,
    )
    assert cyclometer("check", "salsa20").line("ok", "crypto_stream salsa20 mixed")


def test_a_primitive_is_a_folder_with_a_declaration(tree: SmallTree, cyclometer: CommandLine) -> None:
    """Salsa20 with 10 rounds."""
    folder = "primitives/crypto_stream/salsa20-10"
    tree.write(
        f"{folder}/primitive.toml",
        """
        description = "Salsa20 with half of its rounds"
        key_bytes = 32
        nonce_bytes = 8
        security_bits = 256
        """,
    )
    shutil.copytree(tree / "primitives/crypto_stream/salsa20/ref", tree / f"{folder}/ref")
    source = tree / f"{folder}/ref/salsa20.c"
    source.write_text(source.read_text().replace("SALSA20_ROUNDS 20", "SALSA20_ROUNDS 10"))
    assert cyclometer("check", "salsa20-10").line("ok", "crypto_stream salsa20-10 ref")


def test_a_composed_system_is_a_declaration(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write(
        "primitives/crypto_aead/salsa20-mine/primitive.toml",
        """
        description = "a stream cipher and an authenticator, composed"
        composition = "poly1305-2007"
        stream = "salsa20"
        mac = "poly1305"
        """,
    )
    assert cyclometer("check", "salsa20-mine").line("ok", "crypto_aead salsa20-mine ref")


def test_a_cipher_brings_its_pairs(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The copy of Salsa20 under a new name meets the one authenticator of the tree, in both forms."""
    shutil.copytree(tree / "primitives/crypto_stream/salsa20", tree / "primitives/crypto_stream/mine")
    listed = cyclometer("run", "--list", "mine+*").stdout
    assert sorted(line.split(":")[0] for line in listed.splitlines()[:2]) == [
        "crypto_aead mine+poly1305",
        "crypto_aead mine+poly1305-onetime",
    ]
    assert cyclometer("check", "mine+poly1305-onetime").line("ok", "crypto_aead mine+poly1305-onetime stream-onetime")


def test_a_composition_is_a_folder(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The composition of 2007 gets another name."""
    compositions = tree / "operations/crypto_aead/compositions"
    shutil.copytree(compositions / "poly1305-2007", compositions / "another")
    tree.write(
        "primitives/crypto_aead/salsa20-another/primitive.toml",
        'description = "x"\ncomposition = "another"\nstream = "salsa20"\nmac = "poly1305"\n',
    )
    assert cyclometer("check", "salsa20-another").line("ok", "crypto_aead salsa20-another ref")


def test_an_attack_is_a_file(tree: SmallTree) -> None:
    tree.write(
        "primitives/crypto_stream/salsa20/attacks/dream.toml",
        """
        who = ["Nobody"]
        year = 2100
        breaks = "everything"
        cost = "a night's sleep"
        remaining_bits = 1
        citation = "unpublished"
        """,
    )
    [attack] = discover(tree.root).primitives["crypto_stream/salsa20"].facts["attacks"]
    assert attack["remaining_bits"] == 1


def test_vectors_are_a_file(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The new file is used beside the published ones: its wrong vector makes `ref` fail."""
    folder = tree / "primitives/crypto_stream/salsa20"
    published = json.loads((folder / "vectors.json").read_text())
    vector = {**published["vectors"][0], "keystream": "00" * 512}
    (folder / "vectors-mine.json").write_text(json.dumps({**published, "vectors": [vector]}))
    assert "vectors-mine.json" in cyclometer("check", "salsa20").line("WRONG", "salsa20 ref")


def test_a_compiler_is_a_file(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write(
        "toolchains/unoptimised.toml",
        """
        description = "gcc that does not try"
        command = "gcc"
        cxx = "g++"
        debian = "gcc"

        [[variant]]
        name = "gcc-O0"
        flags = ["-O0"]
        reason = "how much do compilers do?"
        """,
    )
    assert "(2 compilers)" in cyclometer("check", "salsa20").line("ok", "salsa20 ref")


def test_a_check_only_toolchain_is_a_file(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write(
        "toolchains/strict.toml",
        """
        description = "stops at the first overflow"
        command = "gcc"
        cxx = "g++"
        debian = "gcc"
        purpose = "check"
        [[variant]]
        name = "gcc-strict"
        flags = ["-O1", "-ftrapv"]
        reason = "a test"
        """,
    )
    assert "(1 compiler)" in cyclometer("check", "salsa20").line("ok", "salsa20 ref")
    assert cyclometer("check", "salsa20", "--toolchain", "strict").line("ok", "salsa20 ref")


def test_a_cpu_feature_of_another_architecture_is_a_file(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write("toolchains/features/abacus.toml", 'beads = { cpuinfo = "beads", flags = ["-mbeads"] }\n')
    FaultyImplementation(name="beaded").add_to(tree)
    tree.write("primitives/crypto_stream/salsa20/beaded/implementation.toml", 'needs = ["beads"]\n')
    assert cyclometer("check", "salsa20").line("without", "salsa20 beaded").endswith("needs beads")


def test_an_architecture_has_its_names_in_a_file(tree: SmallTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "abacus64")
    tree.write("toolchains/features/abacus.toml", 'beads = { cpuinfo = "beads", flags = ["-mbeads"] }\n')
    assert discover(tree.root).features["beads"].cpuinfo != "beads"  # unknown, so of another machine
    tree.write("toolchains/architectures/abacus64.toml", 'features = "abacus"\n')
    assert discover(tree.root).features["beads"].cpuinfo == "beads"


def test_a_counter_is_a_file(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write(
        "harness/counters/raw_clock.h",
        """
        /* SPDX-License-Identifier: MIT OR Apache-2.0 */
        #define COUNTER_NAME "raw_clock"
        #define COUNTER_UNIT "ns"
        #include <time.h>
        static int counter_open(const char **why)
        {
            (void)why;
            return 0;
        }
        static inline int64_t counter_read(void)
        {
            struct timespec now;
            (void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
            return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
        }
        """,
    )
    result = cyclometer("machine")
    assert result.line("raw_clock", "ns")


def test_a_provider_is_a_declaration_and_a_glue_file(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write(
        "providers/homemade/provider.toml",
        """
        name = "Homemade"
        packages = []
        debian = "homemade-dev"
        [operations.crypto_stream]
        salsa20 = { HOMEMADE_ROUNDS = "20" }
        """,
    )
    glue = "providers/homemade/crypto_stream"
    family = tree / "primitives/crypto_stream"
    tree.write(f"{glue}/crypto_stream_types.h", f'#define CIPHER_BUFFER 1\n#include "{family}/_salsa_chacha/types.h"\n')
    tree.write(
        f"{glue}/crypto_stream.c",
        f"""
        #include "crypto_stream.h"
        #define SALSA20_ROUNDS HOMEMADE_ROUNDS
        #include "{family}/_salsa20/ref.h"
        #include "{family}/_salsa_chacha/stream.h"
        """,
    )
    assert cyclometer("check", "salsa20").line("ok", "crypto_stream salsa20 homemade")


def test_a_provider_whose_library_is_missing_is_skipped_with_the_reason(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.write(
        "providers/absent/provider.toml",
        'name = "Absent"\npackages = ["libabsent"]\ndebian = "libabsent-dev"\n'
        "[operations.crypto_stream]\nsalsa20 = {}\n",
    )
    tree.write("providers/absent/crypto_stream/crypto_stream.c", "")
    result = cyclometer("check", "salsa20")
    assert "needs the library libabsent (Debian: apt install libabsent-dev)" in result.line("without", "absent")
    assert result.status == 0


# ---- an operation: the whole recipe, with a toy hash function


OPERATION = """
title = "Hash functions"

[sizes]
digest_bytes = "BYTES"

[choose]
grid = ["hash length=1536"]

[profiles.quick]
rounds = 1
grid = ["hash length=0,64,1536"]

[[vectors]]
ask = "hash {message}"
expect = "{digest}"

[[view]]
name = "length"
title = "{unit} to {measure} a message, by its length in bytes"
measures = ["hash"]
columns = "length"
show = [0, 64, 1536]
"""

HEADER = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_HASH_H
#define CRYPTO_HASH_H
#include <stdint.h>
/* digest = H(message) */
void crypto_checksum(uint8_t *digest, const uint8_t *message, uint64_t length);
#endif
"""

CHECK = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <string.h>
#include "crypto_checksum.h"
#include "harness.h"

void operation_info(void)
{
    record_info("digest_bytes", crypto_checksum_BYTES);
}

void operation_check(void)
{
    uint8_t digest[crypto_checksum_BYTES];
    struct guard message;
    guard_open(&message, 1024, "message");
    for (size_t length = 0; length <= 1024; length++) {
        harness_case("length %zu", length);
        uint8_t *bytes = guard_place(&message, length, GUARD_ANY, GUARD_BACK);
        prng_fill(bytes, length);
        crypto_checksum(digest, bytes, length);
        guard_check(&message, "message");
        harness_digest(digest, sizeof digest);
    }
}

int operation_answer(const char *verb)
{
    uint8_t digest[crypto_checksum_BYTES];
    size_t length;
    if (strcmp(verb, "hash")) return -1;
    const uint8_t *message = request_bytes(&length);
    crypto_checksum(digest, message, length);
    answer_bytes(digest, sizeof digest);
    return 0;
}
"""

MEASURE = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <string.h>
#include "crypto_checksum.h"
#include "timing.h"

int operation_measure(struct sample *sample)
{
    static uint8_t *message, digest[crypto_checksum_BYTES];
    if (strcmp(sample->measure, "hash")) return -1;
    if (!message) message = allocate((size_t)max_length(), 0);
    TIME_CHECKED(sample, (void)0, crypto_checksum(digest, message, sample->length),
                timed_output(digest, sizeof digest));
    return 0;
}
"""

FNV = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* FNV-1a, 64 bits, most significant byte first. */
#include "crypto_checksum.h"
void crypto_checksum(uint8_t *digest, const uint8_t *message, uint64_t length)
{
    uint64_t h = 0xcbf29ce484222325;
    for (uint64_t i = 0; i < length; i++) h = (h ^ message[i]) * 0x100000001b3;
    for (int i = 0; i < 8; i++) digest[i] = (uint8_t)(h >> (56 - 8 * i));
}
"""

# From the authors' test program.
FNV_VECTORS = {"": "cbf29ce484222325", "a": "af63dc4c8601ec8c", "foobar": "85944171f73967e8"}


def test_an_operation_is_a_folder(tree: SmallTree, cyclometer: CommandLine) -> None:
    files = {"operation.toml": OPERATION, "crypto_checksum.h": HEADER, "check.c": CHECK, "measure.c": MEASURE}
    for name, text in files.items():
        tree.write(f"operations/crypto_checksum/{name}", text)
    folder = "primitives/crypto_checksum/fnv1a-64"
    tree.write(f"{folder}/primitive.toml", 'description = "FNV-1a"\ndigest_bytes = 8\n')
    tree.write(f"{folder}/ref/fnv.c", FNV)
    vectors = [{"message": m.encode().hex(), "digest": d} for m, d in FNV_VECTORS.items()]
    header = {"format": "cyclometer-vectors/1", "operation": "crypto_checksum", "system": "fnv1a-64"}
    tree.write(f"{folder}/vectors.json", json.dumps({**header, "vectors": vectors}))
    result = cyclometer("check", "crypto_checksum")
    assert result.status == 0, result.stdout + result.stderr
    result = cyclometer("run", "crypto_checksum")
    assert result.status == 0, result.stderr
    assert "to hash a message" in result.stdout
    with open_runs(cyclometer.results) as runs:
        measured = runs.sql(
            "SELECT DISTINCT measure, length FROM samples WHERE measure <> 'empty' ORDER BY ALL"
        ).fetchall()
    assert measured == [("hash", 0), ("hash", 64), ("hash", 1536)]


FOREIGN = """
[functions]
"" = "void @(unsigned char *, const unsigned char *, unsigned long long);"

[foreign]
cycles = "hash"

[foreign.sizes]
BYTES = "digest_bytes"
"""

CHECKSUM = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "crypto_checksum.h"
#include "checksum.h"
static struct sum_array message, digest;
static int call(unsigned char *const *p)
{
    crypto_checksum(p[0], p[1], message.length);
    return 0;
}
static const struct sum_function function = {"crypto_checksum", call, {&digest}, {&message}, 0, 0};
void sum_test(void)
{
    sum_open(&message, "message", 128);
    sum_open(&digest, "digest", crypto_checksum_BYTES);
    for (size_t length = 0; length <= 128; length++) {
        sum_input(&message, length);
        digest.length = crypto_checksum_BYTES;
        sum_run(&function);
    }
}
"""

# As in a SUPERCOP tree: the header is a generated one.
FOREIGN_FNV = """
#include "crypto_checksum.h"
void crypto_checksum(unsigned char *digest, const unsigned char *message, unsigned long long length)
{
    unsigned long long h = 0xcbf29ce484222325, i;
    for (i = 0; i < length; i++) h = (h ^ message[i]) * 0x100000001b3;
    for (i = 0; i < crypto_checksum_BYTES; i++) digest[i] = (unsigned char)(h >> (56 - 8 * i));
}
"""


@pytest.fixture
def foreign(tree: SmallTree, tmp_path: Path) -> ForeignTree:
    """Write a SUPERCOP tree with an operation that the small tree has, too."""
    files = {"operation.toml": OPERATION + FOREIGN, "crypto_checksum.h": HEADER, "check.c": CHECK, "measure.c": MEASURE}
    for name, text in files.items():
        tree.write(f"operations/crypto_checksum/{name}", text)
    tree.write("adapters/supercop/checksum/crypto_checksum.c", CHECKSUM)
    foreign = ForeignTree(tmp_path / "supercop")
    foreign.write("MACROS", "")
    foreign.write("crypto_checksum/fnv1a/mine/api.h", "#define CRYPTO_BYTES 8\n")
    foreign.write("crypto_checksum/fnv1a/mine/fnv.c", FOREIGN_FNV)
    return foreign


def test_an_operation_that_foreign_trees_have_too_is_a_folder(
    foreign: ForeignTree, cyclometer: CommandLine, tmp_path: Path
) -> None:
    assert "1 implementation of 1 primitive, 0 left out" in cyclometer("run", "--tree", foreign.root, "--list").stdout
    vectors = [{"message": m.encode().hex(), "digest": d} for m, d in FNV_VECTORS.items()]
    header = {"format": "cyclometer-vectors/1", "operation": "crypto_checksum", "system": "fnv1a"}
    file = foreign.write("vectors.json", json.dumps({**header, "vectors": vectors}))
    result = cyclometer("check", "--tree", foreign.root, "--vectors", file)
    assert result.status == 0, result.stdout + result.stderr
    result = cyclometer("run", "--tree", foreign.root)
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        measured = runs.sql(
            "SELECT DISTINCT measure, length FROM samples WHERE measure <> 'empty' ORDER BY ALL"
        ).fetchall()
    assert measured == [("hash", 0), ("hash", 64), ("hash", 1536)]
    lines = [line.split()[4:8] for line in cyclometer("export", "supercop").stdout.splitlines()]
    assert ["crypto_checksum", "fnv1a/timingleaks", "cycles", "1536"] in lines


def test_a_new_operation_has_checksums_and_dependents(foreign: ForeignTree, cyclometer: CommandLine) -> None:
    """The tree's checksum is compared; an include makes one primitive depend on another."""
    foreign.write("crypto_checksum/again/mine/api.h", "#define CRYPTO_BYTES 8\n")
    call = "void crypto_checksum(unsigned char *d, const unsigned char *m, unsigned long long l)"
    includes = '#include "crypto_checksum.h"\n#include "crypto_checksum_fnv1a.h"\n'
    foreign.write("crypto_checksum/again/mine/again.c", f"{includes}{call} {{ crypto_checksum_fnv1a(d, m, l); }}\n")
    assert cyclometer("check", "--tree", foreign.root, "again").line("ok", "crypto_checksum again mine")
    foreign.write("crypto_checksum/fnv1a/checksumsmall", "00" * 32)
    result = cyclometer("check", "--tree", foreign.root, "fnv1a")
    assert f"not {'00' * 32}" in result.line("WRONG", "crypto_checksum fnv1a mine")


def test_a_new_operation_is_recognised_by_its_functions(
    foreign: ForeignTree, cyclometer: CommandLine, tmp_path: Path
) -> None:
    """The implementation is outside any tree."""
    shutil.copytree(foreign.root / "crypto_checksum/fnv1a/mine", tmp_path / "alone")
    assert cyclometer("check", "--tree", tmp_path / "alone").line("ok", "crypto_checksum alone alone")


def test_an_operation_without_foreign_names_is_left_out(
    foreign: ForeignTree, tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.write("operations/crypto_checksum/operation.toml", OPERATION)
    result = cyclometer("run", "--tree", foreign.root, "--list")
    assert "left out" in result.line("crypto_checksum fnv1a mine")


# ---- parts of the program


def test_a_subcommand_is_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "say_hello.py").write_text('def command() -> None:\n    """Hello."""\n    print("hello")\n')
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    assert "say-hello" in [command.name for command in application().registered_commands]


def test_a_format_is_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shout.py").write_text("def write(report, stream):\n    stream.write('LOUD')\n")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    stream = io.StringIO()
    report.reporter("shout")(Report(tables=()), stream)
    assert stream.getvalue() == "LOUD"


def test_nothing_keeps_a_second_list_of_the_subcommands() -> None:
    modules = {module.name for module in pkgutil.iter_modules(cli.__path__) if module.name[0] != "_"}
    everything = application()
    assert len(everything.registered_commands) + len(everything.registered_groups) == len(modules)
    for name in modules:
        module = importlib.import_module(f"cyclometer.cli.{name}")
        assert callable(module.group if hasattr(module, "group") else module.command)


LANES = """
    title = "Lanes"

    [units]
    length = "lanes"

    [sizes]

    [choose]
    grid = ["fill length=8"]

    [profiles.quick]
    rounds = 1
    grid = ["fill length=8,64"]

    [[view]]
    name = "length"
    title = "{unit} to fill, by the number of lanes"
    measures = ["fill"]
    columns = "length"
"""


def test_the_unit_of_a_length_is_a_line_of_the_operation(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write("operations/crypto_lanes/operation.toml", LANES)
    info = run_info(contracts={"crypto_lanes": "c0ffee"})
    processes = [
        process(name, cycles={("fill", 8): 80 * (1 + slow), ("fill", 64): 640}, operation="crypto_lanes", round=number)
        for number in range(3)
        for slow, name in enumerate(("mine", "yours"))
    ]
    write_run(cyclometer.results, info, processes)
    table = cyclometer("table", "--per-byte").stdout
    assert "Cycles per lane to fill" in table
    assert "lanes=64" in cyclometer("export", "benchstat").stdout
    assert "items_per_second" in cyclometer("export", "google-benchmark").stdout
    picture = cyclometer.results.parent / "overview.svg"
    assert cyclometer("plot", "overview", "-o", picture).status == 0
    everything = [table, cyclometer("compare", "mine", "yours", "--stored").stdout]
    cyclometer("report", "-o", picture.parent / "site")
    everything += [path.read_text() for path in (picture.parent / "site" / "data" / "graphs").rglob("*.js")]
    assert "number of lanes" in "".join(everything)
    assert [text for text in everything if "per byte" in text or "cycles/byte" in text] == []
