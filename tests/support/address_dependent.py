# SPDX-License-Identifier: MIT OR Apache-2.0
"""Code of a small tree whose time depends on where the linker puts it, so that it varies from layout to layout."""

from __future__ import annotations

CODE = "primitives/crypto_stream/salsa20/ref/salsa20.c"

DEPENDS_ON_ITS_ADDRESS = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    /* Salsa20 that counts to a number the larger, the further behind the start of a page its code lies. */
    #include "crypto_stream.h"
    #define SALSA20_ROUNDS 20
    #include "../../_salsa20/ref.h"
    #define crypto_stream_xor without_delay
    #include "../../_salsa_chacha/stream.h"
    #undef crypto_stream_xor
    void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
    {
        for (uint64_t n = (uintptr_t)crypto_stream_xor % 4096 * 64; n; n--) __asm__ volatile("");
        without_delay(state, out, in, length);
    }
"""
