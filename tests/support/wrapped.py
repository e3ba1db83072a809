# SPDX-License-Identifier: MIT OR Apache-2.0
"""An implementation of any operation: `ref`, with code of a test around some of its functions.

    Wrapped(
        system="crypto_sort/int32",
        name="sorts-at-most-4096-items",
        bodies={"crypto_sort": "good_crypto_sort(x, n > 4096 ? 4096 : n);"},
    )

A body calls the right function as `good_crypto_...`; the names of the parameters are in PARAMETERS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cyclometer.records.failure import FailureKind
from support.small_tree import REPOSITORY, SmallTree

PARAMETERS = {
    "crypto_aead_expandkey": "int (crypto_aead_key *e, const uint8_t *key)",
    "crypto_aead_encrypt": (
        "int (uint8_t *p, const uint8_t *m, uint64_t n, const uint8_t *ad, uint64_t adn, const uint8_t *nonce,"
        " const crypto_aead_key *e)"
    ),
    "crypto_aead_decrypt": (
        "int (uint8_t *m, const uint8_t *p, uint64_t n, const uint8_t *ad, uint64_t adn, const uint8_t *nonce,"
        " const crypto_aead_key *e)"
    ),
    "crypto_blockcipher_expandkey": "int (crypto_blockcipher_key *e, const uint8_t *key, uint64_t n)",
    "crypto_blockcipher_encrypt": (
        "void (uint8_t *out, const uint8_t *in, uint64_t n, const crypto_blockcipher_key *e)"
    ),
    "crypto_blockcipher_decrypt": (
        "void (uint8_t *out, const uint8_t *in, uint64_t n, const crypto_blockcipher_key *e)"
    ),
    "crypto_auth": ("int (unsigned char *out, const unsigned char *in, unsigned long long n, const unsigned char *k)"),
    "crypto_auth_verify": (
        "int (const unsigned char *h, const unsigned char *in, unsigned long long n, const unsigned char *k)"
    ),
    "crypto_core": "int (unsigned char *out, const unsigned char *in, const unsigned char *k, const unsigned char *c)",
    "crypto_decode": "void (void *v, const unsigned char *s)",
    "crypto_dh": "int (unsigned char *s, const unsigned char *pk, const unsigned char *sk)",
    "crypto_dh_keypair": "int (unsigned char *pk, unsigned char *sk)",
    "crypto_encode": "void (unsigned char *s, const void *v)",
    "crypto_hash": "int (unsigned char *out, const unsigned char *in, unsigned long long n)",
    "crypto_hash_update": "void (crypto_hash_state *state, const unsigned char *in, unsigned long long inlen)",
    "crypto_hashblocks": "int (unsigned char *s, const unsigned char *in, unsigned long long n)",
    "crypto_kem_keypair": "int (unsigned char *pk, unsigned char *sk)",
    "crypto_kem_enc": "int (unsigned char *c, unsigned char *k, const unsigned char *pk)",
    "crypto_kem_dec": "int (unsigned char *k, const unsigned char *c, const unsigned char *sk)",
    "crypto_onetimeauth_expandkey": "void (crypto_onetimeauth_key *e, const uint8_t *key)",
    "crypto_onetimeauth_authenticate": (
        "void (uint8_t *tag, const uint8_t *m, uint64_t n, const uint8_t *s, const crypto_onetimeauth_key *e)"
    ),
    "crypto_rng": "int (unsigned char *r, unsigned char *n, const unsigned char *g)",
    "crypto_sign": (
        "int (unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,"
        " const unsigned char *sk)"
    ),
    "crypto_sign_keypair": "int (unsigned char *pk, unsigned char *sk)",
    "crypto_sign_open": (
        "int (unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,"
        " const unsigned char *pk)"
    ),
    "crypto_sort": "void (void *x, long long n)",
    "crypto_stream_expandkey": "void (crypto_stream_key *e, const uint8_t *key)",
    "crypto_stream_start": (
        "void (crypto_stream_state *s, uint8_t *first, const uint8_t *nonce, const crypto_stream_key *e, uint64_t soon)"
    ),
    "crypto_stream_xor": "void (crypto_stream_state *s, uint8_t *out, const uint8_t *in, uint64_t n)",
    "crypto_verify": "int (const unsigned char *x, const unsigned char *y)",
    "crypto_xof": "int (unsigned char *out, unsigned long long n, const unsigned char *in, unsigned long long inlen)",
}


@dataclass(frozen=True, kw_only=True)
class Wrapped:
    """Code around functions of `ref`. The tool must report `kind`, and `reason` as a part of the reason.

    `bodies` maps functions to their new bodies. `before` precedes them, and `first` precedes everything. `types` is
    added to the header of types.
    """

    system: str
    name: str
    bodies: Mapping[str, str]
    before: str = ""
    first: str = ""
    types: str = ""
    kind: FailureKind | None = None
    reason: str = ""

    @property
    def ref(self) -> str:
        """The implementation that is wrapped."""
        return f"{self.system}/ref"

    def add_to(self, tree: SmallTree) -> None:
        """Add it to the tree, beside `ref`."""
        folder = REPOSITORY / "primitives" / self.ref
        target = f"primitives/{self.system}/{self.name}"
        (source,) = folder.glob("*.c")
        operation = self.system.partition("/")[0]
        headers = {path.name: f'#include "../ref/{path.name}"\n' for path in folder.glob("*_types.h")}
        if self.types:
            own = f"{operation}_types.h"
            headers[own] = headers.get(own, "") + f"{self.types}\n"
        for name, text in headers.items():
            tree.write(f"{target}/{name}", text)
        lines = [self.first, "#include <stdint.h>", "#include <stdlib.h>", "#include <string.h>"]
        lines += [f'#include "{operation}.h"', *(f"#define {name} good_{name}" for name in self.bodies)]
        lines += [f'#include "../ref/{source.name}"', *(f"#undef {name}" for name in self.bodies), self.before]
        for name, body in self.bodies.items():
            returns, _, parameters = PARAMETERS[name].partition(" ")
            lines.append(f"{returns} {name}{parameters}\n{{\n{body}\n}}")
        tree.write(f"{target}/wrapped.c", "\n".join(lines) + "\n")
