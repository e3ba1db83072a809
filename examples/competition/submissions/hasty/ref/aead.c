/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ChaCha20-Poly1305, wrong on purpose: the tag does not cover the associated data, so that anybody may replace it. */

#include "../../../crypto_stream/_chacha20/ref.h"
#include "../../../crypto_onetimeauth/_poly1305/ref.h"

#define CHACHA20_POLY1305_TOGETHER 1

static void chacha20_poly1305_tag(uint8_t tag[16], const uint8_t key[32],
                                  const uint8_t *ad, uint64_t ad_length,
                                  const uint8_t *text, uint64_t length)
{
    uint32_t r[5], h[5] = {0};
    uint8_t lengths[16];

    store_le64(lengths, ad_length);
    store_le64(lengths + 8, length);
    poly1305_ref_clamp(r, key);
    (void)ad; /* the mistake: RFC 8439 authenticates it first */
    poly1305_ref_padded(h, r, text, length);
    poly1305_ref_padded(h, r, lengths, 16);
    poly1305_ref_tag(tag, h, key + 16);
}

#include "../../_chacha20-poly1305/aead.h"
