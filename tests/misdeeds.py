# SPDX-License-Identifier: MIT OR Apache-2.0
"""Implementations that do wrong: a right one (Salsa20's or AES-128-GCM's `ref`) with a deed in front.

A stream's deed stands at the start of crypto_stream_xor(state, out, in, length) and may call the right
function by the name good_xor; the rest of the function calls it. An AEAD's deed stands at the start of
crypto_aead_decrypt and may call good_decrypt.
"""

from __future__ import annotations

from dataclasses import dataclass

from small_tree import SmallTree

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
    """What it does, and what the report must say of it."""

    name: str
    report: str
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
        report="salsa20.c does not compile",
    ),
    Misdeed(
        name="does-not-link",
        deed="void nowhere(void); nowhere();",
        report="does not link",
    ),
    Misdeed(
        name="crashes",
        deed="volatile int *nothing = 0; *nothing = 1;",
        report="crashes: reads or writes outside its buffers (SIGSEGV)",
    ),
    Misdeed(
        name="divides-by-zero",
        deed="volatile int zero = 0; zero = 10 / zero;",
        report="crashes: arithmetic error (SIGFPE)",
    ),
    Misdeed(
        name="aborts",
        includes="#include <stdlib.h>",
        deed="abort();",
        report="aborts (SIGABRT)",
    ),
    Misdeed(
        name="overflows-its-stack",
        deed="volatile uint8_t lots[64 << 20]; for (int i = 0; i < 64 << 20; i += 4096) lots[i] = 1;",
        report="crashes: reads or writes outside its buffers (SIGSEGV)",
    ),
    Misdeed(
        name="loops-for-ever",
        deed='for (;;) __asm__ volatile("");',
        report="still running after 3 s",
    ),
    Misdeed(
        name="sleeps",
        includes="#include <unistd.h>",
        deed="sleep(1000);",
        report="still running after 3 s",
    ),
    Misdeed(
        name="ends-early",
        includes="#include <stdlib.h>",
        deed="exit(0);",
        report="ends the process",
    ),
    Misdeed(
        name="forks",
        includes="#include <unistd.h>",
        deed="if (fork() == 0) for (;;) pause();",
        report="makes the system call clone",
    ),
    Misdeed(
        name="executes-a-program",
        includes="#include <unistd.h>",
        deed='execl("/bin/true", "true", (char *)0);',
        report="makes the system call execve",
    ),
    Misdeed(
        name="asks-a-shell",
        includes="#include <stdlib.h>",
        deed='system("true");',
        report="makes a forbidden system call",
    ),
    Misdeed(
        name="opens-a-socket",
        includes="#include <sys/socket.h>",
        deed="socket(AF_INET, SOCK_STREAM, 0);",
        report="makes the system call socket",
    ),
    Misdeed(
        name="kills-its-parent",
        includes="#include <signal.h>\n#include <unistd.h>",
        deed="kill(getppid(), SIGKILL);",
        report="makes the system call kill",
    ),
    Misdeed(
        name="deletes-a-file",
        includes="#include <unistd.h>",
        deed='unlink("/etc/hostname");',
        report="makes the system call unlink",
    ),
    Misdeed(
        name="writes-a-file",
        includes="#include <stdio.h>",
        deed='fputs("found", fopen("/tmp/spoils", "w"));',
        report="opens a file for writing",
    ),
    Misdeed(
        name="opens-the-password-file",
        includes="#include <fcntl.h>",
        deed='open("/etc/passwd", O_RDWR);',
        report="opens a file for writing",
    ),
    Misdeed(
        name="prints-megabytes",
        includes="#include <stdio.h>",
        deed="for (int i = 0; i < 1 << 24; i++) puts(__func__);",
        report="prints more than 64 megabytes",
    ),
    Misdeed(
        name="eats-memory",
        includes="#include <stdlib.h>",
        deed="for (volatile char *bite;; *bite = 1) bite = malloc(1 << 20);",
        report="uses up its memory",
    ),
    Misdeed(
        name="writes-one-byte-after",
        after="if (length == 600) out[length] = 1;",
        report="writes outside output: byte 600 of 600",
    ),
    Misdeed(
        name="writes-one-byte-before",
        after="if (length == 600) out[-1] = 1;",
        report="writes outside output: byte -1 of 600",
    ),
    Misdeed(
        name="reads-one-byte-after",
        deed="volatile uint8_t more = in[length];",
        report="crashes: reads or writes outside its buffers (SIGSEGV)",
    ),
    Misdeed(
        name="changes-its-input",
        after="if (in != out && length) ((uint8_t *)in)[0] ^= 1;",
        report="changes its input",
    ),
    Misdeed(
        name="changes-its-mind",
        after="static int calls; if (++calls == 1000 && length) out[0] ^= 1;",
        report="keystream differs",
    ),
    Misdeed(
        name="depends-on-alignment",
        after="if ((uintptr_t)out % 64 == 17 && length) out[0] ^= 1;",
        report="keystream differs",
    ),
    Misdeed(
        name="is-wrong-far-out",
        after="if (length > 5000 && length < 9000) out[5000] ^= 1;",
        report="disagrees with ref",
    ),
    Misdeed(
        name="is-another-cipher",
        after="for (uint64_t i = 0; i < length; i++) out[i] ^= 1;",
        report="keystream differs at byte 16",
    ),
    Misdeed(
        name="forges-records",
        includes="#include <stdio.h>\n#include <stdlib.h>",
        deed='puts("verdict\\tok\\t00000000000000000000000000000000"); fflush(stdout); exit(0);',
        report="ends the process",
    ),
    Misdeed(
        name="forges-records-where-they-go",
        includes="#include <unistd.h>",
        deed="""
    static const char lie[] = "verdict\\tok\\t00000000000000000000000000000000\\n";
    for (int stream = 3; stream < 9; stream++) if (write(stream, lie, sizeof lie - 1) < 0) continue;""",
        report="their seal is broken",
    ),
    Misdeed(
        name="forges-records-before-main",
        includes="""
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void early(void)
{
    for (int stream = 3; stream < 9; stream++) dprintf(stream, "verdict\\tok\\t0\\nseal\\t0\\n");
    _exit(0);
}""",
        report="their seal is broken",
    ),
]

AEAD_MISDEEDS = [
    Swindle(
        name="accepts-every-packet",
        deed="""
    if (packet_length < 16) return -1;
    gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return 0;""",
        report="accepts a forgery",
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
        report="packet byte 8 changed: accepts a forgery",
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
        report="associated-data byte 0 changed: accepts a forgery",
    ),
    Swindle(
        name="releases-plaintext",
        deed="""
    int result = good_decrypt(plaintext, packet, packet_length, ad, ad_length, nonce, expanded);
    if (result && packet_length > 16) gctr(plaintext, packet + 16, packet_length - 16, nonce, expanded);
    return result;""",
        report="releases plaintext of a forgery",
    ),
    Swindle(
        name="accepts-an-empty-packet",
        deed="if (packet_length < 16) return 0;",
        report="accepts a forgery",
    ),
    Swindle(
        name="rejects-long-packets",
        deed="if (packet_length > 4000) return -1;",
        report="rejects its own packet",
    ),
]
