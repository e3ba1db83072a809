# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wrong implementations that keep an input and what they made of it, and take a similar input for the same one.

Others count their calls and are wrong from some call on.
"""

from __future__ import annotations

from cyclometer.records.failure import FailureKind
from support.wrapped import PARAMETERS, Wrapped

# Each compares the input that is kept with the one that has come.
_FIRST_EIGHT_BYTES = "!memcmp(kept, x, 8)"
_LAST_EIGHT_BYTES = "!memcmp(kept + size - 8, x + size - 8, 8)"
_ADDRESS = "at == x && kept[0] == x[0]"
_SUM = "sum(kept, size) == sum(x, size)"

_KEEPS = """
static unsigned sum(const unsigned char *x, size_t size)
{
    unsigned all = 0;
    for (size_t i = 0; i < size; i++) all += x[i];
    return all;
}
static const unsigned char *known(const unsigned char *x)
{
    enum { size = SIZE };
    static unsigned char kept[size];
    static const void *at;
    static int used;
    if (!used || !(COMPARISON)) memcpy(kept, x, size);
    used = 1, at = x, (void)at, (void)sum;
    return kept;
}
"""


def _takes(system: str, name: str, function: str, arguments: str, comparison: str, size: int, of: str) -> Wrapped:
    call = f"good_{function}({arguments});"
    return Wrapped(
        system=system,
        name=f"keeps-{name}",
        before=_KEEPS.replace("SIZE", str(size)).replace("COMPARISON", comparison),
        bodies={function: f"return {call}" if PARAMETERS[function].startswith("int") else call},
        kind=FailureKind.WRONG_OUTPUT,
        reason=f"a {of} that is like the one before",
    )


TAKES_AN_INPUT_FOR_ANOTHER = [
    _takes(
        "crypto_hash/sha-256",
        "messages-by-their-ends",
        "crypto_hash",
        "out, n == 576 ? known(in) : in, n",
        _LAST_EIGHT_BYTES,
        576,
        "message of 576 bytes",
    ),
    _takes(
        "crypto_xof/shake128",
        "messages-by-their-places",
        "crypto_xof",
        "out, n, inlen == 40 ? known(in) : in, inlen",
        _ADDRESS,
        40,
        "message of 40 bytes",
    ),
    _takes(
        "crypto_rng/chacha20",
        "keys-by-their-beginnings",
        "crypto_rng",
        "r, n, known(g)",
        _FIRST_EIGHT_BYTES,
        32,
        "key",
    ),
    _takes(
        "crypto_decode/761x3",
        "strings-by-their-sums",
        "crypto_decode",
        "v, known(s)",
        _SUM,
        191,
        "string",
    ),
    _takes(
        "crypto_blockcipher/aes",
        "keys-by-their-sums",
        "crypto_blockcipher_expandkey",
        "e, n == 16 ? known(key) : key, n",
        _SUM,
        16,
        "key",
    ),
    _takes(
        "crypto_onetimeauth/poly1305",
        "pads-by-their-ends",
        "crypto_onetimeauth_authenticate",
        "tag, m, n, known(s), e",
        _LAST_EIGHT_BYTES,
        16,
        "pad",
    ),
    _takes(
        "crypto_dh/surf127eps",
        "secret-keys-by-their-beginnings",
        "crypto_dh",
        "s, pk, known(sk)",
        _FIRST_EIGHT_BYTES,
        32,
        "secret key",
    ),
    _takes(
        "crypto_kem/ml-kem-512",
        "public-keys-by-their-sums",
        "crypto_kem_enc",
        "c, k, known(pk)",
        _SUM,
        800,
        "public key",
    ),
    _takes(
        "crypto_sign/ml-dsa-44",
        "public-keys-by-their-sums",
        "crypto_sign_open",
        "m, mlen, sm, smlen, known(pk)",
        _SUM,
        1312,
        "public key",
    ),
    _takes(
        "crypto_aead/chacha20-poly1305",
        "packets-by-their-places",
        "crypto_aead_decrypt",
        "m, n == 80 ? known(p) : p, n, ad, adn, nonce, e",
        _ADDRESS,
        80,
        "packet",
    ),
]


def _counts(system: str, function: str, arguments: str, changed: str, most: int = 5000) -> Wrapped:
    call = f"good_{function}({arguments}); static unsigned calls; if (++calls > {most}) {changed} ^= 1;"
    return Wrapped(
        system=system,
        name=f"is-wrong-after-{most}-calls-of-{function.replace('_', '-')}",
        bodies={function: f"int result = {call} return result;" if PARAMETERS[function].startswith("int") else call},
        kind=FailureKind.NOT_DETERMINISTIC,
        reason="the first call, repeated, gives another result",
    )


COUNT_THEIR_CALLS = [
    _counts("crypto_blockcipher/aes", "crypto_blockcipher_decrypt", "out, in, n, e", "out[0]", most=9500),
    _counts("crypto_core/salsa20", "crypto_core", "out, in, k, c", "out[0]"),
    _counts("crypto_decode/761x3", "crypto_decode", "v, s", "*(unsigned char *)v"),
    _counts("crypto_rng/chacha20", "crypto_rng", "r, n, g", "r[0]"),
]

CODE_THAT_KEEPS_RESULTS = [*TAKES_AN_INPUT_FOR_ANOTHER, *COUNT_THEIR_CALLS]
