# SPDX-License-Identifier: MIT OR Apache-2.0
"""Faulty and hostile implementations: a `ref` with code around one call.

`before` and `after` surround the call of the right function:

    good_xor in crypto_stream_xor(state, out, in, length) of Salsa20
    good_hash in crypto_hash(out, in, inlen) of SHA-256
    good_authenticate in crypto_onetimeauth_authenticate(tag, message, length, s, expanded) of Poly1305

For AES-128-GCM, `before` precedes good_decrypt in crypto_aead_decrypt, and `both` precedes good_encrypt, too;
`sealed` follows that one.
"""

from __future__ import annotations

from dataclasses import dataclass

from cyclometer.records.failure import FailureKind
from support.small_tree import SmallTree
from support.wrong_bodies import WRITES_FAR_AWAY

_STREAM = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
{includes}
#include "crypto_stream.h"
#define SALSA20_ROUNDS 20
#define crypto_stream_xor good_xor
#include "../../_salsa20/ref.h"
#include "../../_salsa_chacha/stream.h"
#undef crypto_stream_xor

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{{
    {before}
    good_xor(state, out, in, length);
    {after}
}}
"""

_AEAD = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
{includes}
#include "crypto_aead.h"
#define crypto_aead_encrypt good_encrypt
#define crypto_aead_decrypt good_decrypt
#include "../../_gcm/ref.h"
#undef crypto_aead_encrypt
#undef crypto_aead_decrypt

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{{
    {both}
    const int result = good_encrypt(packet, plaintext, length, ad, ad_length, nonce, expanded);
    {sealed}
    return result;
}}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{{
    {both}
    {before}
    return good_decrypt(plaintext, packet, packet_length, ad, ad_length, nonce, expanded);
}}
"""

_HASH = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
{includes}
__attribute__((noinline)) int good_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);
#define crypto_hash good_hash
#include "../ref/hash.c"
#undef crypto_hash

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{{
    {before}
    good_hash(out, in, inlen);
    {after}
    return 0;
}}
"""

_HASH_TYPES = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../ref/crypto_hash_types.h"
#undef crypto_hash_INCREMENTAL
"""

_MAC = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
{includes}
#define crypto_onetimeauth_authenticate good_authenticate
#include "../ref/poly1305.c"
#undef crypto_onetimeauth_authenticate

void crypto_onetimeauth_authenticate(uint8_t *tag, const uint8_t *message, uint64_t length, const uint8_t *s,
                                     const crypto_onetimeauth_key *expanded)
{{
    {before}
    good_authenticate(tag, message, length, s, expanded);
    {after}
}}
"""

_MAC_TYPES = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../ref/crypto_onetimeauth_types.h"
"""

_STREAM_TYPES = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define CIPHER_BUFFER 1
#include "../../_salsa_chacha/types.h"
"""

_AEAD_TYPES = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>
#define AES_ROUNDS 10
#include "../../_gcm/ref_types.h"
"""


@dataclass(frozen=True, kw_only=True)
class FaultyImplementation:
    """An implementation of salsa20 with a fault, and the kind of failure that the check must report, if tests look.

    `reason` is a part of the reason that it must give.
    """

    name: str
    kind: FailureKind | None = None
    reason: str = ""
    before: str = ""
    after: str = ""
    includes: str = ""

    def add_to(self, tree: SmallTree) -> None:
        """Add it to the tree as one more implementation of salsa20."""
        folder = f"primitives/crypto_stream/salsa20/{self.name}"
        source = _STREAM.format(includes=self.includes, before=self.before, after=self.after)
        tree.write(f"{folder}/crypto_stream_types.h", _STREAM_TYPES)
        tree.write(f"{folder}/salsa20.c", source)


@dataclass(frozen=True, kw_only=True)
class FaultyAead(FaultyImplementation):
    """An implementation of aes-128-gcm whose decrypt has a fault, or both directions have."""

    both: str = ""
    sealed: str = ""

    def add_to(self, tree: SmallTree) -> None:
        """Add it to the tree as one more implementation of aes-128-gcm."""
        folder = f"primitives/crypto_aead/aes-128-gcm/{self.name}"
        tree.write(f"{folder}/crypto_aead_types.h", _AEAD_TYPES)
        tree.write(
            f"{folder}/gcm.c",
            _AEAD.format(includes=self.includes, before=self.before, both=self.both, sealed=self.sealed),
        )


class FaultyHash(FaultyImplementation):
    """An implementation of sha-256 with a fault."""

    def add_to(self, tree: SmallTree) -> None:
        """Add it to the tree as one more implementation of sha-256, beside `ref`, whose source it includes."""
        tree.plant("crypto_hash/sha-256/ref")
        folder = f"primitives/crypto_hash/sha-256/{self.name}"
        source = _HASH.format(includes=self.includes, before=self.before, after=self.after)
        tree.write(f"{folder}/crypto_hash_types.h", _HASH_TYPES)
        tree.write(f"{folder}/hash.c", source)


class FaultyMac(FaultyImplementation):
    """An implementation of poly1305 with a fault."""

    def add_to(self, tree: SmallTree) -> None:
        """Add it to the tree as one more implementation of poly1305."""
        folder = f"primitives/crypto_onetimeauth/poly1305/{self.name}"
        source = _MAC.format(includes=self.includes, before=self.before, after=self.after)
        tree.write(f"{folder}/crypto_onetimeauth_types.h", _MAC_TYPES)
        tree.write(f"{folder}/poly1305.c", source)


FAULTY_STREAMS = [
    FaultyImplementation(
        name="does-not-compile",
        before="this is not C;",
        kind=FailureKind.DOES_NOT_COMPILE,
    ),
    FaultyImplementation(
        name="does-not-link",
        before="void nowhere(void); nowhere();",
        kind=FailureKind.DOES_NOT_LINK,
    ),
    FaultyImplementation(
        name="crashes",
        before="volatile int *nothing = 0; *nothing = 1;",
        kind=FailureKind.OUT_OF_BOUNDS,
    ),
    FaultyImplementation(
        name="divides-by-zero",
        before="volatile int zero = 0; zero = 10 / zero;",
        kind=FailureKind.CRASH,
    ),
    FaultyImplementation(
        name="aborts",
        includes="#include <stdlib.h>",
        before="abort();",
        kind=FailureKind.ABORTED,
    ),
    FaultyImplementation(
        name="overflows-its-stack",
        before="volatile uint8_t lots[64 << 20]; for (int i = 0; i < 64 << 20; i += 4096) lots[i] = 1;",
        kind=FailureKind.OUT_OF_BOUNDS,
    ),
    FaultyImplementation(
        name="loops-for-ever",
        before='for (;;) __asm__ volatile("");',
        kind=FailureKind.TIME_LIMIT,
    ),
    FaultyImplementation(
        name="sleeps",
        includes="#include <unistd.h>",
        before="sleep(1000);",
        kind=FailureKind.TIME_LIMIT,
    ),
    FaultyImplementation(
        name="ends-early",
        includes="#include <stdlib.h>",
        before="exit(0);",
        kind=FailureKind.EXITED,
    ),
    FaultyImplementation(
        name="forks",
        includes="#include <unistd.h>",
        before="if (fork() == 0) for (;;) pause();",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="executes-a-program",
        includes="#include <unistd.h>",
        before='execl("/bin/true", "true", (char *)0);',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="runs-a-shell",
        includes="#include <stdlib.h>",
        before='system("true");',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="opens-a-socket",
        includes="#include <sys/socket.h>",
        before="socket(AF_INET, SOCK_STREAM, 0);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="hides-its-forbidden-calls",
        includes="#include <signal.h>\n#include <unistd.h>\nstatic void nothing(int number) { (void)number; }",
        before="signal(SIGSYS, nothing); fork();",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="kills-its-parent",
        includes="#include <signal.h>\n#include <unistd.h>",
        before="kill(getppid(), SIGKILL);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="deletes-a-file",
        includes="#include <unistd.h>",
        before='unlink("/etc/hostname");',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="writes-a-file",
        includes="#include <stdio.h>",
        before='fputs("found", fopen("/tmp/spoils", "w"));',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="opens-the-password-file",
        includes="#include <fcntl.h>",
        before='open("/etc/passwd", O_RDWR);',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyImplementation(
        name="prints-megabytes",
        includes="#include <stdio.h>",
        before="for (int i = 0; i < 1 << 24; i++) puts(__func__);",
        kind=FailureKind.OUTPUT_LIMIT,
    ),
    FaultyImplementation(
        name="allocates-without-limit",
        includes="#include <stdlib.h>",
        before="for (volatile char *bite;; *bite = 1) bite = malloc(1 << 20);",
        kind=FailureKind.MEMORY_LIMIT,
    ),
    FaultyImplementation(
        name="writes-one-byte-after",
        after="if (length == 600) out[length] = 1;",
        kind=FailureKind.BUFFER_OVERRUN,
    ),
    FaultyImplementation(
        name="writes-one-byte-before",
        after="if (length == 600) out[-1] = 1;",
        kind=FailureKind.BUFFER_OVERRUN,
    ),
    FaultyImplementation(
        name="reads-one-byte-after",
        before="volatile uint8_t more = in[length];",
        kind=FailureKind.OUT_OF_BOUNDS,
    ),
    FaultyImplementation(
        name="modifies-its-input",
        after="if (in != out && length) ((uint8_t *)in)[0] ^= 1;",
        kind=FailureKind.INPUT_MODIFIED,
    ),
    FaultyImplementation(
        name="varies-after-1000-calls",
        after="static int calls; if (++calls == 1000 && length) out[0] ^= 1;",
        kind=FailureKind.DISAGREEMENT,
    ),
    FaultyImplementation(
        name="depends-on-alignment",
        after="if ((uintptr_t)out % 64 == 17 && length) out[0] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
    ),
    FaultyImplementation(
        name="is-wrong-after-5000-bytes",
        after="if (length > 5000 && length < 9000) out[5000] ^= 1;",
        kind=FailureKind.DISAGREEMENT,
    ),
    FaultyImplementation(
        name="is-another-cipher",
        after="for (uint64_t i = 0; i < length; i++) out[i] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
    ),
    FaultyImplementation(
        name="forges-records",
        includes="#include <stdio.h>\n#include <stdlib.h>",
        before='puts("verdict\\tok\\t00000000000000000000000000000000"); fflush(stdout); exit(0);',
        kind=FailureKind.EXITED,
    ),
    FaultyImplementation(
        name="forges-records-in-every-stream",
        includes="#include <unistd.h>",
        before="""
    static const char lie[] = "verdict\\tok\\t00000000000000000000000000000000\\n";
    for (int stream = 3; stream < 9; stream++) if (write(stream, lie, sizeof lie - 1) < 0) continue;""",
        kind=FailureKind.TAMPERED_RECORDS,
    ),
    FaultyImplementation(
        name="forges-records-before-main",
        includes="""
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void early(void)
{
    for (int stream = 3; stream < 9; stream++) dprintf(stream, "verdict\\tok\\t0\\ntag\\t0\\n");
    _exit(0);
}""",
        kind=FailureKind.TAMPERED_RECORDS,
    ),
]

FAULTY_AEADS = [
    FaultyAead(
        name="accepts-every-packet",
        before="""
    if (packet_length < 16) return -1;
    gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return 0;""",
        kind=FailureKind.FORGERY_ACCEPTED,
    ),
    FaultyAead(
        name="compares-half-the-tag",
        before="""
    uint8_t tag[16];
    if (packet_length < 16) return -1;
    authenticate(tag, packet + 16, packet_length - 16, ad, ad_length, nonce, expanded);
    if (memcmp(tag, packet, 8)) return -1;
    gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return 0;""",
        kind=FailureKind.FORGERY_ACCEPTED,
    ),
    FaultyAead(
        name="ignores-a-bit-of-associated-data",
        before="""
    uint8_t other[96];
    if (ad_length > 0 && ad_length <= sizeof other) {
        memcpy(other, ad, ad_length);
        other[0] ^= 0x80;
        if (!good_decrypt(plaintext, packet, packet_length, other, ad_length, nonce, expanded)) return 0;
    }""",
        kind=FailureKind.FORGERY_ACCEPTED,
    ),
    FaultyAead(
        name="releases-plaintext",
        before="""
    int result = good_decrypt(plaintext, packet, packet_length, ad, ad_length, nonce, expanded);
    if (result && packet_length > 16) gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return result;""",
        kind=FailureKind.SECRET_EXPOSED,
    ),
    FaultyAead(
        name="accepts-an-empty-packet",
        before="if (packet_length < 16) return 0;",
        kind=FailureKind.FORGERY_ACCEPTED,
    ),
    FaultyAead(
        name="rejects-long-packets",
        before="if (packet_length > 4000) return -1;",
        kind=FailureKind.VALID_REJECTED,
    ),
    FaultyAead(
        name="ignores-the-last-byte-of-the-tag",
        before="""
    uint8_t tag[16];
    if (packet_length < 16) return -1;
    authenticate(tag, packet + 16, packet_length - 16, ad, ad_length, nonce, expanded);
    if (memcmp(tag, packet, 15)) return -1;
    gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return 0;""",
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="packet byte 15 changed",
    ),
    FaultyAead(
        name="accepts-forgeries-of-whole-blocks",
        before="""
    if (packet_length > 16 && packet_length % 16 == 0) {
        gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
        return 0;
    }""",
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="length 16, ad ",
    ),
    FaultyAead(
        name="accepts-forgeries-of-1500-bytes",
        before="""
    if (packet_length == 16 + 1500) {
        gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
        return 0;
    }""",
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="length 1500, ad ",
    ),
    FaultyAead(
        name="ignores-associated-data-beyond-64-bytes",
        both="if (ad_length > 64) ad_length = 64;",
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="ad 2049, the last byte of it changed",
    ),
    FaultyAead(
        name="ignores-associated-data-beyond-512-bytes",
        both="if (ad_length > 512) ad_length = 512;",
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="ad 2049, the last byte of it changed",
    ),
]

FAULTY_HASHES = [
    FaultyHash(
        name="pads-56-bytes-wrongly",
        after="if (inlen % 64 == 56) out[0] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
        reason="vector SHA256ShortMsg.rsp, Len 448 of vectors.json: hash: hash differs at byte 0",
    ),
    FaultyHash(
        name="is-wrong-above-4096-bytes",
        after="if (inlen > 4096) out[5] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
        reason="vector CPython hashlib, 65536 zero bytes",
    ),
    FaultyHash(
        name="is-wrong-from-4097-to-9000-bytes",
        after="if (inlen > 4096 && inlen <= 9000) out[5] ^= 1;",
        kind=FailureKind.DISAGREEMENT,
        reason="length 4097: ",
    ),
    FaultyHash(
        name="is-wrong-at-1500-bytes",
        after="if (inlen == 1500) out[31] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
        reason="pattern of 1500 bytes",
    ),
    FaultyHash(
        name="is-wrong-at-777-bytes",
        after="if (inlen == 777) out[31] ^= 1;",
        kind=FailureKind.DISAGREEMENT,
        reason="disagrees with ref, and no third implementation decides: length 777: ",
    ),
    FaultyHash(
        name="is-wrong-for-equal-bytes",
        after="if (inlen == 100 && in[0] == 255 && in[50] == 255 && in[99] == 255) out[31] ^= 1;",
        kind=FailureKind.DISAGREEMENT,
        reason="100 bytes of 255: ",
    ),
    FaultyHash(
        name="is-wrong-at-a-megabyte",
        after="if (inlen == 1 << 20) out[31] ^= 1;",
        kind=FailureKind.DISAGREEMENT,
        reason="length 1048576: ",
    ),
    FaultyHash(
        name="changes-the-second-result",
        after="static int calls; if (++calls == 2) out[0] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
    ),
    FaultyHash(
        name="reads-the-unused-stack",
        after="volatile uint8_t unused[256]; if (inlen == 600) out[0] ^= unused[128];",
        kind=FailureKind.NOT_DETERMINISTIC,
    ),
    FaultyHash(
        name="leaves-a-timer",
        includes="#include <sys/time.h>",
        before="struct itimerval hour = {.it_value.tv_sec = 3600}; setitimer(ITIMER_REAL, &hour, 0);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
        reason="setitimer",
    ),
    FaultyHash(
        name="leaves-a-signal-handler",
        includes="#include <signal.h>\nstatic void handler(int number) { (void)number; }",
        before="signal(SIGALRM, handler);",
        kind=FailureKind.SIDE_EFFECT,
        reason="leaves a handler of signal 14",
    ),
    FaultyHash(
        name="blocks-a-signal",
        includes="#include <signal.h>",
        before="sigset_t set; sigemptyset(&set); sigaddset(&set, SIGTERM); sigprocmask(SIG_BLOCK, &set, 0);",
        kind=FailureKind.SIDE_EFFECT,
        reason="signal 15",
    ),
    FaultyHash(
        name="leaves-a-signal-stack",
        includes="#define _GNU_SOURCE\n#include <signal.h>",
        before="static char space[65536]; sigaltstack(&(stack_t){.ss_sp = space, .ss_size = sizeof space}, 0);",
        kind=FailureKind.SIDE_EFFECT,
        reason="leaves another stack for signal handlers behind",
    ),
    FaultyHash(
        name="leaves-descriptors",
        includes="#include <fcntl.h>",
        before='open("/dev/null", O_RDONLY);',
        kind=FailureKind.SIDE_EFFECT,
        reason="file descriptors open",
    ),
    FaultyHash(
        name="leaves-memory-allocated",
        includes="#include <stdlib.h>",
        before="*(volatile char *)malloc(100) = 1;",
        kind=FailureKind.SIDE_EFFECT,
        reason="leaves memory allocated",
    ),
    FaultyHash(
        name="changes-a-limit",
        includes="#include <sys/resource.h>",
        before="setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, 64});",
        kind=FailureKind.SIDE_EFFECT,
        reason="changes a limit of the process",
    ),
    FaultyHash(
        name="reads-what-the-harness-is-asked",
        includes="""#define _GNU_SOURCE
#include <stdio.h>
static ssize_t none(void *cookie, char *line, size_t size) { (void)cookie, (void)line, (void)size; return 0; }
__attribute__((constructor)) static void replace(void)
{
    stdin = fopencookie(0, "r", (cookie_io_functions_t){.read = none});
}""",
        kind=FailureKind.SIDE_EFFECT,
        reason="replaces standard input, output or error",
    ),
    FaultyHash(
        name="writes-far-after-its-output",
        after="if (inlen == 600) out[9000] = 1;",
        kind=WRITES_FAR_AWAY,
        reason="length 600",
    ),
]

FAULTY_MACS = [
    FaultyMac(
        name="ignores-the-last-byte",
        before="if (length > 0) length--;",
        kind=FailureKind.WRONG_OUTPUT,
        reason="vectors.json: authenticate: tag differs at byte 0",
    ),
    FaultyMac(
        name="ignores-the-last-byte-of-long-messages",
        before="if (length == 1501) length--;",
        kind=FailureKind.DISAGREEMENT,
        reason="length 1501: ",
    ),
    FaultyMac(
        name="is-wrong-at-8191-bytes",
        after="if (length == 8191) tag[15] ^= 0x80;",
        kind=FailureKind.DISAGREEMENT,
        reason="length 8191: ",
    ),
]


def _convention(name: str, instruction: str, reason: str) -> FaultyHash:
    """Return a hash that breaks the calling convention of x86-64 with one instruction."""
    return FaultyHash(
        name=name, after=f"__asm__ volatile({instruction});", kind=FailureKind.CALLING_CONVENTION, reason=reason
    )


BREAK_THE_CALLING_CONVENTION = [
    _convention("clobbers-rbx", '"xorl %ebx, %ebx"', "register rbx"),
    _convention("clobbers-rbp", '"xorl %ebp, %ebp"', "register rbp"),
    _convention("clobbers-r12", '"xorl %r12d, %r12d"', "register r12"),
    _convention("clobbers-r15", '"incq %r15"', "register r15"),
    _convention("sets-the-direction-flag", '"std"', "direction flag"),
    FaultyHash(
        name="reads-a-register-that-nobody-has-set",
        before='uint64_t stale; __asm__ volatile("movq %%xmm7, %0" : "=r"(stale));',
        after="if (inlen == 600) out[0] ^= (unsigned char)(stale >> 32);",
        kind=FailureKind.NOT_DETERMINISTIC,
        reason="two calls on one message",
    ),
    _convention("checks-alignment", '"pushfq; orq $0x40000, (%%rsp); popfq" : : : "memory"', "alignment-check flag"),
    _convention("uses-mmx-without-emms", '"pxor %mm0, %mm0"', "x87 stack"),
    _convention("rounds-upwards", '"ldmxcsr %0" : : "m"((uint32_t){0x5f80})', "MXCSR"),
    _convention("rounds-to-float", '"fldcw %0" : : "m"((uint16_t){0x007f})', "x87 control word"),
]
