# SPDX-License-Identifier: MIT OR Apache-2.0
"""Foreign trees whose own headers give functions of the API other names, as the authors of Kyber and Dilithium do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind
from support.command_line import CommandLine
from support.foreign_tree import ForeignTree
from support.known_answers import MASK, MASK_HEADER, TOY_KEM
from support.pqclean_tree import SIGNATURE

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

# The sizes of api.h have another prefix, and depend on a parameter that no command but the headers gives.
KEM_API = """
#include <stdint.h>
#define toy32_SECRETKEYBYTES 32
#define toy32_ref_SECRETKEYBYTES toy32_SECRETKEYBYTES
int toy32_ref_keypair(uint8_t *pk, uint8_t *sk);
"""
PARAMETERS = """
#ifndef TOY_K
#define TOY_K 4
#endif
#if TOY_K == 2
#define TOY_NAMESPACE(s) toy16_ref_##s
#elif TOY_K == 4
#define TOY_NAMESPACE(s) toy32_ref_##s
#else
#error "TOY_K must be in {2,4}"
#endif
#define TOY_BYTES (8 * TOY_K)
"""
KEM_HEADER = """
#include <stdint.h>
#include "params.h"
#define CRYPTO_SECRETKEYBYTES TOY_BYTES
#define CRYPTO_PUBLICKEYBYTES TOY_BYTES
#define CRYPTO_CIPHERTEXTBYTES TOY_BYTES
#define CRYPTO_BYTES TOY_BYTES
#define crypto_kem_keypair TOY_NAMESPACE(keypair)
int crypto_kem_keypair(uint8_t *pk, uint8_t *sk);
#define crypto_kem_enc TOY_NAMESPACE(enc)
int crypto_kem_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk);
#define crypto_kem_dec TOY_NAMESPACE(dec)
int crypto_kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);
"""
# These random bytes differ from call to call, so key pairs would differ for equal random bytes.
RANDOM_BYTES = """
#include "randombytes.h"
static uint8_t state;
void randombytes(uint8_t *out, size_t outlen) { while (outlen--) *out++ = ++state; }
"""
RANDOM_BYTES_HEADER = """
#include <stddef.h>
#include <stdint.h>
void randombytes(uint8_t *out, size_t outlen);
"""
MAKEFILE = """
CFLAGS += -O3
SOURCES = kem.c mask4x/mask.o
mask4x/mask.o: mask4x/mask.c mask4x/mask.h
	$(CC) $(CFLAGS) -c $< -o $@
test16: $(SOURCES)
	$(CC) $(CFLAGS) -DTOY_K=2 $(SOURCES) test/test.c -o $@
test32: $(SOURCES)
	$(CC) $(CFLAGS) -DTOY_K=4 $(SOURCES) test/test.c -o $@
"""


def grow_kem(root: Path, header: str = KEM_HEADER) -> Path:
    """Write ref/, and opt/ with a source in a folder below it."""
    tree = ForeignTree(root)
    for home, mask in (("ref", "ref"), ("opt", "opt/mask4x")):
        files = {"api.h": KEM_API, "params.h": PARAMETERS, "kem.h": header.replace("ref", home)}
        files |= {"randombytes.h": RANDOM_BYTES_HEADER, "randombytes.c": RANDOM_BYTES, "Makefile": MAKEFILE}
        source = TOY_KEM.replace("@", "crypto_kem_").replace("<randombytes.h>", '"randombytes.h"')
        files["kem.c"] = '#include "kem.h"\n' + source.replace("mask.h", "mask4x/mask.h" if "4x" in mask else "mask.h")
        for name, text in files.items():
            tree.write(f"{home}/{name}", text)
        tree.write(f"{mask}/mask.h", MASK_HEADER)
        tree.write(f"{mask}/mask.c", MASK)
    tree.write("opt/test/test.c", "#error not part of the implementation\n")
    Path(os.fsdecode(bytes(root) + b"/opt/\xff.h")).write_text("#define crypto_kem_enc no_utf8\n", encoding="utf-8")
    return root


def test_a_kem_in_a_name_space_of_its_own(tmp_path: Path, cyclometer: CommandLine) -> None:
    """Its random bytes are the harness's: with its own ones, there would be a warning."""
    result = cyclometer("check", grow_kem(tmp_path / "toy"), "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    result.line("ok      crypto_kem toy opt")
    result.line("ok      crypto_kem toy ref")
    assert "warning crypto_kem" not in result.stdout


@pytest.mark.parametrize(
    "name", ['"no name"', "TOY_NAMESPACE(enc) + 1", 300 * "e", "crypto_kem_keypair", "randombytes", "main"]
)
def test_a_header_that_says_another_name_than_the_source(name: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(grow_kem(tmp_path / "toy"))
    tree.write("ref/kem.h", KEM_HEADER.replace("TOY_NAMESPACE(enc)", name))
    tree.write("ref/right.inc", KEM_HEADER)
    source = (tree.root / "ref/kem.c").read_text(encoding="utf-8")
    tree.write("ref/kem.c", source.replace("kem.h", "right.inc"))
    result = cyclometer("check", tree.root / "ref", "--compiler", "gcc-O2")
    assert result.status == 1, result.stdout + result.stderr
    result.line("WRONG", "crypto_kem ref ref gcc-O2")
    assert "Traceback" not in result.stderr


SIGN_API = """
#include <stddef.h>
#include <stdint.h>
#define toy_BYTES 24
int toy_ref_keypair(uint8_t *pk, uint8_t *sk);
"""
SIGN_HEADER = """
#include <stddef.h>
#include <stdint.h>
#define CRYPTO_SECRETKEYBYTES 16
#define CRYPTO_PUBLICKEYBYTES 16
#define CRYPTO_BYTES 24
#define TOY_NAMESPACETOP toy_ref
#define TOY_NAMESPACE(s) toy_ref_##s
#define crypto_sign_keypair TOY_NAMESPACE(keypair)
int crypto_sign_keypair(uint8_t *pk, uint8_t *sk);
#define crypto_sign_signature TOY_NAMESPACE(signature)
#define crypto_sign_verify TOY_NAMESPACE(verify)
#define crypto_sign TOY_NAMESPACETOP
int crypto_sign(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, CONTEXT const uint8_t *sk);
#define crypto_sign_open TOY_NAMESPACE(open)
int crypto_sign_open(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, CONTEXT const uint8_t *pk);
"""
# As in HAETAE: these two keep their names, and macros with parameters leave out the context.
SHORT_CALLS = """
int crypto_sign(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, CONTEXT const uint8_t *sk);
#define crypto_sign(sm, smlen, m, mlen, sk) crypto_sign(sm, smlen, m, mlen, NULL, 0, sk)
int crypto_sign_open(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, CONTEXT const uint8_t *pk);
#define crypto_sign_open(m, mlen, sm, smlen, pk) crypto_sign_open(m, mlen, sm, smlen, NULL, 0, pk)
"""
CONTEXT = "const uint8_t *ctx, size_t ctxlen,"
REFUSES_A_CONTEXT = "    if (ctx || ctxlen) return -1;\n"


def signature(context: str) -> str:
    """Return the source of a signature scheme whose functions have a context, which must be empty, or have none."""
    source = SIGNATURE.replace("@", "crypto_sign")
    for function in ("int crypto_sign(", "int crypto_sign_open("):
        start, begin, rest = source.partition(function)
        parameters, brace, body = rest.partition("\n{\n")
        before, comma, key = parameters.rpartition(", ")
        refusal = REFUSES_A_CONTEXT if context else ""
        source = f"{start}{begin}{before}{comma}{context} {key}{brace}{refusal}{body}"
    return source


@pytest.mark.parametrize("form", ["without a context", "with a context", "with macros for an empty context"])
def test_signatures_in_a_name_space_of_their_own(form: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    context = "" if form == "without a context" else CONTEXT
    header, undefined = SIGN_HEADER, ""
    if form == "with macros for an empty context":
        header = header.partition("#define crypto_sign TOY")[0] + SHORT_CALLS
        undefined = "#undef crypto_sign\n#undef crypto_sign_open\n"
    tree = ForeignTree(tmp_path / "toy")
    tree.write("ref/api.h", SIGN_API)
    tree.write("ref/sign.h", header.replace("CONTEXT", context))
    tree.write("ref/sign.c", f'#include "sign.h"\n{undefined}{signature(context)}')
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    result.line("ok      crypto_sign toy ref")
    forges = signature(context).replace("!right(sm, sm + 24, smlen - 24, pk)", "0")
    tree.write("ref/sign.c", f'#include "sign.h"\n{undefined}{forges}')
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2", "--format", "json")
    assert result.kinds() == {"ref": FailureKind.FORGERY_ACCEPTED}, result.stdout
