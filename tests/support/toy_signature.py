# SPDX-License-Identifier: MIT OR Apache-2.0
"""A toy signature system, insecure because its public key signs, too, which passes the property tests.

It covers features of crypto_sign that no library has (states, batches, expanded keys); the faulty
variants are one change of right code each.
"""

from __future__ import annotations

from dataclasses import dataclass

from cyclometer.records.failure import FailureKind
from support.small_tree import SmallTree
from support.wrong_bodies import WRITES_FAR_AWAY

PRIMITIVE = """
    # SPDX-License-Identifier: MIT OR Apache-2.0
    description = "no signature at all"
    public_key_bytes = 16
    secret_key_bytes = 24
    bytes = 24
"""

TYPES = """
    #define crypto_sign_BATCH 1
    #define crypto_sign_PRECOMPUTES 1
    typedef struct { unsigned char pk[16]; } crypto_sign_expanded_public;
    typedef struct { unsigned char sk[24]; } crypto_sign_expanded_secret;
"""

COMMON = """
    #include <stdint.h>
    #include <string.h>
    #include "crypto_sign.h"
    #include "randombytes.h"

    static void tag(unsigned char *t, const unsigned char *pk, const unsigned char *n, const unsigned char *m,
                    unsigned long long mlen)
    {
        uint64_t x = mlen, y = ~mlen;
        for (unsigned long long i = 0; i < 24 + mlen; i++) {
            const unsigned char b = i < 16 ? pk[i] : i < 24 ? n[i - 16] : m[i - 24];
            x = (x ^ b) * 0x9ddfea08eb382d69u, x ^= x >> 29;
            y = (y + b + 1) * 0xc2b2ae3d27d4eb4fu, y ^= y >> 31;
        }
        for (int i = 0; i < 8; i++) t[i] = (unsigned char)(x >> 8 * i), t[8 + i] = (unsigned char)(y >> 8 * i);
    }

    int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
    {
        randombytes(pk, 16);
        memcpy(sk, pk, 16);
        memset(sk + 16, 0, 8);
        return 0;
    }

    int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                         unsigned long long smlen, const unsigned char *pk)
    {
        unsigned char t[16];
        if (smlen < 24) return -1;
        tag(t, pk, sm + 16, sm + 24, smlen - 24);
        if (memcmp(t, sm, 16)) return -1;
        memcpy(m, sm + 24, smlen - 24);
        *mlen = smlen - 24;
        return 0;
    }
"""

STATELESS = (
    COMMON
    + """
    int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                    unsigned long long mlen, const unsigned char *sk)
    {
        memcpy(sm + 24, m, mlen);
        randombytes(sm + 16, 8);
        tag(sm, sk, sm + 16, m, mlen);
        *smlen = mlen + 24;
        return 0;
    }

    int crypto_sign_open_batch(int *result, unsigned char *const *m, unsigned long long *mlen,
                               const unsigned char *const *sm, const unsigned long long *smlen,
                               const unsigned char *const *pk, unsigned long long num)
    {
        int all = 0;
        for (unsigned long long i = 0; i < num; i++)
            all |= result[i] = crypto_sign_open(m[i], &mlen[i], sm[i], smlen[i], pk[i]);
        return all;
    }

    int crypto_sign_expand_public(crypto_sign_expanded_public *expanded, const unsigned char *pk)
    {
        memcpy(expanded->pk, pk, 16);
        return 0;
    }

    int crypto_sign_expand_secret(crypto_sign_expanded_secret *expanded, const unsigned char *sk)
    {
        memcpy(expanded->sk, sk, 24);
        return 0;
    }

    int crypto_sign_expanded(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                             unsigned long long mlen, const crypto_sign_expanded_secret *expanded)
    {
        return crypto_sign(sm, smlen, m, mlen, expanded->sk);
    }

    int crypto_sign_open_expanded(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                                  unsigned long long smlen, const crypto_sign_expanded_public *expanded)
    {
        return crypto_sign_open(m, mlen, sm, smlen, expanded->pk);
    }
"""
)

# Eight signatures; the number of the state is in the secret key and in the signature.
STATEFUL = (
    COMMON
    + """
    int crypto_sign_stateful(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                             unsigned long long mlen, unsigned char *sk)
    {
        unsigned char n[8], t[16];
        memcpy(n, sk + 16, 8);
        if (n[0] == 8) return -1;
        sk[16]++;
        __asm__ volatile("" ::: "memory"); /* the new state is in memory before anything is signed */
        tag(t, sk, n, m, mlen);
        memcpy(sm, t, 16);
        memcpy(sm + 16, n, 8);
        memcpy(sm + 24, m, mlen);
        *smlen = mlen + 24;
        return 0;
    }
"""
)

HOME = "primitives/crypto_sign/toy"


def plant(tree: SmallTree, source: str, types: str, name: str = "ref") -> None:
    """Add an implementation of the toy."""
    tree.write(f"{HOME}/primitive.toml", PRIMITIVE)
    tree.write(f"{HOME}/{name}/crypto_sign_types.h", types)
    tree.write(f"{HOME}/{name}/toy.c", source)


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of the right code, and the kind of failure that the check must report."""

    name: str
    old: str
    new: str
    kind: FailureKind | None = None

    def apply_to(self, source: str) -> str:
        assert source.count(self.old) == 1, self.name
        return source.replace(self.old, self.new)


FAULTY_STATELESS = [
    Change(
        name="compares-half-the-tag", old="memcmp(t, sm, 16)", new="memcmp(t, sm, 8)", kind=FailureKind.FORGERY_ACCEPTED
    ),
    Change(name="any-length", old="if (smlen < 24) return -1;", new="", kind=FailureKind.OUT_OF_BOUNDS),
    Change(
        name="any-key",
        old="crypto_sign_open(m[i], &mlen[i], sm[i], smlen[i], pk[i])",
        kind=FailureKind.WRONG_OUTPUT,
        new="crypto_sign_open(m[i], &mlen[i], sm[i], smlen[i], pk[0])",
    ),
    Change(
        name="skips-half-a-batch",
        old="all |= result[i] =",
        new="result[i] = i % 2 ? 0 :",
        kind=FailureKind.WRONG_OUTPUT,
    ),
    Change(
        name="too-long",
        old="memcpy(sm + 24, m, mlen);",
        new="memcpy(sm + 24, m, mlen); sm[mlen + 24] = 0;",
        kind=WRITES_FAR_AWAY,
    ),
    Change(
        name="hides-its-randomness",
        old="randombytes(sm + 16, 8);",
        new="static char n; memset(sm + 16, ++n, 8);",
        kind=FailureKind.HIDDEN_RNG,
    ),
    Change(
        name="modifies-its-input",
        old="*mlen = smlen - 24;",
        new="*mlen = smlen - 24; ((unsigned char *)sm)[0] ^= 1;",
        kind=FailureKind.INPUT_MODIFIED,
    ),
    Change(
        name="other-message",
        old="memcpy(m, sm + 24, smlen - 24);",
        new="memset(m, 0, smlen - 24);",
        kind=FailureKind.WRONG_OUTPUT,
    ),
    Change(
        name="expands-badly",
        old="memcpy(expanded->sk, sk, 24);",
        new="memcpy(expanded->sk, sk, 24); expanded->sk[3]++;",
        kind=FailureKind.WRONG_OUTPUT,
    ),
]

FAULTY_STATEFUL = [
    Change(
        name="writes-before-the-new-state", old="sk[16]++;", new="sm[0] = 0;\nsk[16]++;", kind=FailureKind.STATE_REUSED
    ),
    Change(name="keeps-its-state", old="sk[16]++;", new="", kind=FailureKind.WRONG_OUTPUT),
    Change(
        name="repeats-its-states",
        old="sk[16]++;",
        new="sk[16] = (unsigned char)(sk[16] + 1) % 4;",
        kind=FailureKind.STATE_REUSED,
    ),
]
