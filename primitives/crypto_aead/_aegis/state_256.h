/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AEGIS_STATE_256_H
#define AEGIS_STATE_256_H

/* The state of AEGIS-256 (draft-irtf-cfrg-aegis-aead, section 2.5): six blocks;
 * a step takes in 16 bytes. */

enum { AEGIS_RATE = 16, AEGIS_KEY_BLOCKS = 2 };

typedef struct {
    aegis_block s[6];
} aegis_state;

AEGIS_INLINE void aegis_update(aegis_state *a, aegis_block m)
{
    const aegis_state t = *a;
    a->s[0] = aegis_round(t.s[5], aegis_xor(t.s[0], m));
    a->s[1] = aegis_round(t.s[0], t.s[1]);
    a->s[2] = aegis_round(t.s[1], t.s[2]);
    a->s[3] = aegis_round(t.s[2], t.s[3]);
    a->s[4] = aegis_round(t.s[3], t.s[4]);
    a->s[5] = aegis_round(t.s[4], t.s[5]);
}

AEGIS_INLINE void aegis_init(aegis_state *a, const aegis_block *key, const uint8_t *nonce,
                             aegis_block c0, aegis_block c1)
{
    const aegis_block k0 = key[0], k1 = key[1];
    const aegis_block kn0 = aegis_xor(k0, aegis_load(nonce));
    const aegis_block kn1 = aegis_xor(k1, aegis_load(nonce + 16));
    a->s[0] = kn0;
    a->s[1] = kn1;
    a->s[2] = c1;
    a->s[3] = c0;
    a->s[4] = aegis_xor(k0, c0);
    a->s[5] = aegis_xor(k1, c1);
    AEGIS_UNROLL for (int i = 0; i < 4; i++) {
        aegis_update(a, k0);
        aegis_update(a, k1);
        aegis_update(a, kn0);
        aegis_update(a, kn1);
    }
}

AEGIS_INLINE void aegis_keystream(aegis_block z[1], const aegis_state *a)
{
    z[0] = aegis_xor(aegis_xor(a->s[1], a->s[4]),
                     aegis_xor(a->s[5], aegis_and(a->s[2], a->s[3])));
}

/* The tag, from the block of both lengths in bits */
AEGIS_INLINE aegis_block aegis_tag(aegis_state *a, aegis_block lengths)
{
    const aegis_block t = aegis_xor(a->s[3], lengths);
    AEGIS_UNROLL for (int i = 0; i < 7; i++) aegis_update(a, t);
    return aegis_xor(aegis_xor(aegis_xor(a->s[0], a->s[1]), aegis_xor(a->s[2], a->s[3])),
                     aegis_xor(a->s[4], a->s[5]));
}

#define AEGIS_LOAD(m, in) (m[0] = aegis_load(in))
#define AEGIS_STORE(out, m) aegis_store(out, m[0])
#define AEGIS_XOR(m, z) (m[0] = aegis_xor(m[0], z[0]))
#define AEGIS_ABSORB(a, m) aegis_update(a, m[0])

#endif
