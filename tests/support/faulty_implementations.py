# SPDX-License-Identifier: MIT OR Apache-2.0
"""Implementations that do wrong: a right one (Salsa20's or AES-128-GCM's `ref`) with a deed in front.

A stream's deed stands at the start of crypto_stream_xor(state, out, in, length) and may call the right
function by the name good_xor; the rest of the function calls it. An AEAD's deed stands at the start of
crypto_aead_decrypt and may call good_decrypt.
"""

from __future__ import annotations

from dataclasses import dataclass

from cyclometer.records.failure import FailureKind
from support.small_tree import SmallTree

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
    {deed}
    good_xor(state, out, in, length);
    {after}
}}
"""

_AEAD = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "crypto_aead.h"
#define crypto_aead_decrypt good_decrypt
#include "../../_gcm/ref.h"
#undef crypto_aead_decrypt

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{{
    {deed}
    return good_decrypt(plaintext, packet, packet_length, ad, ad_length, nonce, expanded);
}}
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
class Misdeed:
    """What it does, and the kind of failure that must be found; None where none is or more than one may be."""

    name: str
    kind: FailureKind | None = None
    deed: str = ""
    after: str = ""
    includes: str = ""

    def commit(self, tree: SmallTree) -> None:
        """Puts it into the tree as one more implementation of salsa20."""
        folder = f"primitives/crypto_stream/salsa20/{self.name}"
        source = _STREAM.format(includes=self.includes, deed=self.deed, after=self.after)
        tree.write(f"{folder}/crypto_stream_types.h", _STREAM_TYPES)
        tree.write(f"{folder}/salsa20.c", source)


class Swindle(Misdeed):
    """A misdeed of an AEAD's decrypt."""

    def commit(self, tree: SmallTree) -> None:
        """Puts it into the tree as one more implementation of aes-128-gcm."""
        folder = f"primitives/crypto_aead/aes-128-gcm/{self.name}"
        tree.write(f"{folder}/crypto_aead_types.h", _AEAD_TYPES)
        tree.write(f"{folder}/gcm.c", _AEAD.format(deed=self.deed))


STREAM_MISDEEDS = [
    Misdeed(
        name="does-not-compile",
        deed="this is not C;",
        kind=FailureKind.DOES_NOT_COMPILE,
    ),
    Misdeed(
        name="does-not-link",
        deed="void nowhere(void); nowhere();",
        kind=FailureKind.DOES_NOT_LINK,
    ),
    Misdeed(
        name="crashes",
        deed="volatile int *nothing = 0; *nothing = 1;",
        kind=FailureKind.OUT_OF_BOUNDS,
    ),
    Misdeed(
        name="divides-by-zero",
        deed="volatile int zero = 0; zero = 10 / zero;",
        kind=FailureKind.CRASH,
    ),
    Misdeed(
        name="aborts",
        includes="#include <stdlib.h>",
        deed="abort();",
        kind=FailureKind.ABORTED,
    ),
    Misdeed(
        name="overflows-its-stack",
        deed="volatile uint8_t lots[64 << 20]; for (int i = 0; i < 64 << 20; i += 4096) lots[i] = 1;",
        kind=FailureKind.OUT_OF_BOUNDS,
    ),
    Misdeed(
        name="loops-for-ever",
        deed='for (;;) __asm__ volatile("");',
        kind=FailureKind.TIME_LIMIT,
    ),
    Misdeed(
        name="sleeps",
        includes="#include <unistd.h>",
        deed="sleep(1000);",
        kind=FailureKind.TIME_LIMIT,
    ),
    Misdeed(
        name="ends-early",
        includes="#include <stdlib.h>",
        deed="exit(0);",
        kind=FailureKind.EXITED,
    ),
    Misdeed(
        name="forks",
        includes="#include <unistd.h>",
        deed="if (fork() == 0) for (;;) pause();",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    Misdeed(
        name="executes-a-program",
        includes="#include <unistd.h>",
        deed='execl("/bin/true", "true", (char *)0);',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    Misdeed(
        name="asks-a-shell",
        includes="#include <stdlib.h>",
        deed='system("true");',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    Misdeed(
        name="opens-a-socket",
        includes="#include <sys/socket.h>",
        deed="socket(AF_INET, SOCK_STREAM, 0);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    Misdeed(
        name="kills-its-parent",
        includes="#include <signal.h>\n#include <unistd.h>",
        deed="kill(getppid(), SIGKILL);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    Misdeed(
        name="deletes-a-file",
        includes="#include <unistd.h>",
        deed='unlink("/etc/hostname");',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    Misdeed(
        name="writes-a-file",
        includes="#include <stdio.h>",
        deed='fputs("found", fopen("/tmp/spoils", "w"));',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    Misdeed(
        name="opens-the-password-file",
        includes="#include <fcntl.h>",
        deed='open("/etc/passwd", O_RDWR);',
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    Misdeed(
        name="prints-megabytes",
        includes="#include <stdio.h>",
        deed="for (int i = 0; i < 1 << 24; i++) puts(__func__);",
        kind=FailureKind.OUTPUT_LIMIT,
    ),
    Misdeed(
        name="eats-memory",
        includes="#include <stdlib.h>",
        deed="for (volatile char *bite;; *bite = 1) bite = malloc(1 << 20);",
        kind=FailureKind.MEMORY_LIMIT,
    ),
    Misdeed(
        name="writes-one-byte-after",
        after="if (length == 600) out[length] = 1;",
        kind=FailureKind.BUFFER_OVERRUN,
    ),
    Misdeed(
        name="writes-one-byte-before",
        after="if (length == 600) out[-1] = 1;",
        kind=FailureKind.BUFFER_OVERRUN,
    ),
    Misdeed(
        name="reads-one-byte-after",
        deed="volatile uint8_t more = in[length];",
        kind=FailureKind.OUT_OF_BOUNDS,
    ),
    Misdeed(
        name="changes-its-input",
        after="if (in != out && length) ((uint8_t *)in)[0] ^= 1;",
        kind=FailureKind.INPUT_MODIFIED,
    ),
    Misdeed(
        name="changes-its-mind",
        after="static int calls; if (++calls == 1000 && length) out[0] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
    ),
    Misdeed(
        name="depends-on-alignment",
        after="if ((uintptr_t)out % 64 == 17 && length) out[0] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
    ),
    Misdeed(
        name="is-wrong-far-out",
        after="if (length > 5000 && length < 9000) out[5000] ^= 1;",
        kind=FailureKind.DISAGREEMENT,
    ),
    Misdeed(
        name="is-another-cipher",
        after="for (uint64_t i = 0; i < length; i++) out[i] ^= 1;",
        kind=FailureKind.WRONG_OUTPUT,
    ),
    Misdeed(
        name="forges-records",
        includes="#include <stdio.h>\n#include <stdlib.h>",
        deed='puts("verdict\\tok\\t00000000000000000000000000000000"); fflush(stdout); exit(0);',
        kind=FailureKind.EXITED,
    ),
    Misdeed(
        name="forges-records-where-they-go",
        includes="#include <unistd.h>",
        deed="""
    static const char lie[] = "verdict\\tok\\t00000000000000000000000000000000\\n";
    for (int stream = 3; stream < 9; stream++) if (write(stream, lie, sizeof lie - 1) < 0) continue;""",
        kind=FailureKind.TAMPERED_RECORDS,
    ),
    Misdeed(
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

AEAD_MISDEEDS = [
    Swindle(
        name="accepts-every-packet",
        deed="""
    if (packet_length < 16) return -1;
    gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return 0;""",
        kind=FailureKind.FORGERY_ACCEPTED,
    ),
    Swindle(
        name="compares-half-the-tag",
        deed="""
    uint8_t tag[16];
    if (packet_length < 16) return -1;
    authenticate(tag, packet + 16, packet_length - 16, ad, ad_length, nonce, expanded);
    if (memcmp(tag, packet, 8)) return -1;
    gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return 0;""",
        kind=FailureKind.FORGERY_ACCEPTED,
    ),
    Swindle(
        name="forgives-a-bit-of-associated-data",
        deed="""
    uint8_t other[96];
    if (ad_length > 0 && ad_length <= sizeof other) {
        memcpy(other, ad, ad_length);
        other[0] ^= 0x80;
        if (!good_decrypt(plaintext, packet, packet_length, other, ad_length, nonce, expanded)) return 0;
    }""",
        kind=FailureKind.FORGERY_ACCEPTED,
    ),
    Swindle(
        name="releases-plaintext",
        deed="""
    int result = good_decrypt(plaintext, packet, packet_length, ad, ad_length, nonce, expanded);
    if (result && packet_length > 16) gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return result;""",
        kind=FailureKind.SECRET_EXPOSED,
    ),
    Swindle(
        name="accepts-an-empty-packet",
        deed="if (packet_length < 16) return 0;",
        kind=FailureKind.FORGERY_ACCEPTED,
    ),
    Swindle(
        name="rejects-long-packets",
        deed="if (packet_length > 4000) return -1;",
        kind=FailureKind.VALID_REJECTED,
    ),
]
