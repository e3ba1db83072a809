/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_POLY1305_POWERS_H
#define CHACHA20_POLY1305_POWERS_H

/* The function for the tag that aead.h wants, with many Poly1305 blocks a vector.
 * Before are included a header of ../../crypto_onetimeauth/_poly1305 and given
 *
 *   powers_of(r)              the powers of r, as that header wants them
 *   poly1305_run              that header's run
 *   CHACHA20_POLY1305_SHORT   bytes up to which powers do not pay */

static void chacha20_poly1305_tag(uint8_t tag[16], const uint8_t key[32],
                                  const uint8_t *ad, uint64_t ad_length,
                                  const uint8_t *text, uint64_t length)
{
    uint64_t r[2], h[3] = {0};
    const uint64_t lengths[2] = {ad_length, length};

    poly1305_64_clamp(r, key);
    if (ad_length > CHACHA20_POLY1305_SHORT) {
        uint64_t whole = ad_length / 16 * 16;
        poly1305_run(h, 0, powers_of(r), ad, whole, 0);
        poly1305_64_fold(h);
        ad += whole;
        ad_length -= whole;
    }
    poly1305_64_padded(h, r, ad, ad_length);
    if (length > CHACHA20_POLY1305_SHORT) {
        poly1305_run(h, h, powers_of(r), text, length, lengths);
    } else {
        poly1305_64_padded(h, r, text, length);
        poly1305_64_add(h, lengths[0], lengths[1], 1);
        poly1305_64_mul(h, r);
    }
    poly1305_64_tag(tag, h, key + 16);
}

#endif
