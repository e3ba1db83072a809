/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AEGIS_STATE_128L_H
#define AEGIS_STATE_128L_H

/* The state of AEGIS-128L (draft-irtf-cfrg-aegis-aead, section 2.4): eight
 * blocks; a step takes in 32 bytes. */

enum { AEGIS_RATE = 32, AEGIS_KEY_BLOCKS = 1 };

typedef struct {
    aegis_block s[8];
} aegis_state;

AEGIS_INLINE void aegis_update(aegis_state *a, aegis_block m0, aegis_block m1)
{
    const aegis_state t = *a;
    a->s[0] = aegis_round(t.s[7], aegis_xor(t.s[0], m0));
    a->s[1] = aegis_round(t.s[0], t.s[1]);
    a->s[2] = aegis_round(t.s[1], t.s[2]);
    a->s[3] = aegis_round(t.s[2], t.s[3]);
    a->s[4] = aegis_round(t.s[3], aegis_xor(t.s[4], m1));
    a->s[5] = aegis_round(t.s[4], t.s[5]);
    a->s[6] = aegis_round(t.s[5], t.s[6]);
    a->s[7] = aegis_round(t.s[6], t.s[7]);
}

AEGIS_INLINE void aegis_init(aegis_state *a, const aegis_block *key, const uint8_t *nonce,
                             aegis_block c0, aegis_block c1)
{
    const aegis_block k = key[0], n = aegis_load(nonce), kn = aegis_xor(k, n);
    a->s[0] = kn;
    a->s[1] = c1;
    a->s[2] = c0;
    a->s[3] = c1;
    a->s[4] = kn;
    a->s[5] = aegis_xor(k, c0);
    a->s[6] = aegis_xor(k, c1);
    a->s[7] = aegis_xor(k, c0);
    AEGIS_UNROLL for (int i = 0; i < 10; i++) aegis_update(a, n, k);
}

AEGIS_INLINE void aegis_keystream(aegis_block z[2], const aegis_state *a)
{
    z[0] = aegis_xor(aegis_xor(a->s[1], a->s[6]), aegis_and(a->s[2], a->s[3]));
    z[1] = aegis_xor(aegis_xor(a->s[2], a->s[5]), aegis_and(a->s[6], a->s[7]));
}

/* The tag, from the block of both lengths in bits */
AEGIS_INLINE aegis_block aegis_tag(aegis_state *a, aegis_block lengths)
{
    const aegis_block t = aegis_xor(a->s[2], lengths);
    AEGIS_UNROLL for (int i = 0; i < 7; i++) aegis_update(a, t, t);
    return aegis_xor(aegis_xor(aegis_xor(a->s[0], a->s[1]), aegis_xor(a->s[2], a->s[3])),
                     aegis_xor(aegis_xor(a->s[4], a->s[5]), a->s[6]));
}

#define AEGIS_LOAD(m, in) (m[0] = aegis_load(in), m[1] = aegis_load((in) + 16))
#define AEGIS_STORE(out, m) (aegis_store(out, m[0]), aegis_store((out) + 16, m[1]))
#define AEGIS_XOR(m, z) (m[0] = aegis_xor(m[0], z[0]), m[1] = aegis_xor(m[1], z[1]))
#define AEGIS_ABSORB(a, m) aegis_update(a, m[0], m[1])

#endif
