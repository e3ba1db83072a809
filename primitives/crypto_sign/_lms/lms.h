/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef LMS_H
#define LMS_H

/* LMS of RFC 8554: LMS_SHA256_M32_H5 over LMOTS_SHA256_N32_W8, a tree of 32
 * one-time keys of 34 chains of 255 steps.  The includer defines
 *
 *   static void advance(hash chains[CHAINS], const uint8_t id[16], uint32_t q,
 *                       const uint8_t from[CHAINS], const uint8_t to[CHAINS])
 *
 * which takes chain i of key q from place from[i] to place to[i].
 *
 * The RFC leaves the private key's layout open.  Here: the two types, I, q (the
 * next unused one-time key), SEED of the RFC's appendix A, and the tree's nodes
 * T[1] to T[63], so that a signature costs no more than one one-time key. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"
#include "randombytes.h"

#include "../../_shared/bytes.h"
#include "../../_shared/sha2_small.h"

#define LMS_TYPE 5
#define LMOTS_TYPE 4
#define HEIGHT 5
#define LEAVES (1u << HEIGHT)
#define CHAINS 34 /* 32 bytes of the digest and two of the checksum */
#define LAST 255  /* place of a chain */

enum { D_PBLK = 0x8080, D_MESG = 0x8181, D_LEAF = 0x8282, D_INTR = 0x8383 };

typedef uint8_t hash[32];

struct secret {
    uint8_t types[8], id[16], q[4], seed[32];
    hash tree[2 * LEAVES - 1];
};

struct public {
    uint8_t types[8], id[16];
    hash root;
};

struct signature {
    uint8_t q[4], lmots_type[4];
    hash randomizer, chains[CHAINS];
    uint8_t lms_type[4];
    hash path[HEIGHT];
};

_Static_assert(sizeof(struct secret) == crypto_sign_SECRETKEYBYTES, "no padding");
_Static_assert(sizeof(struct public) == crypto_sign_PUBLICKEYBYTES, "no padding");
_Static_assert(sizeof(struct signature) == crypto_sign_BYTES, "no padding");

/* I || number || what: how every hash of the RFC begins. */
static inline void begin(struct hash *h, const uint8_t id[16], uint32_t number, unsigned what)
{
    uint8_t words[6];
    store_be32(words, number);
    words[4] = (uint8_t)(what >> 8);
    words[5] = (uint8_t)what;
    sha256_init(h);
    hash_update(h, id, 16);
    hash_update(h, words, sizeof words);
}

/* A node of the tree from its two children, or a leaf from its one-time key. */
static inline void node(hash out, const uint8_t id[16], uint32_t number, const uint8_t *left, const uint8_t *right)
{
    struct hash h;
    begin(&h, id, number, right ? D_INTR : D_LEAF);
    hash_update(&h, left, 32);
    if (right) hash_update(&h, right, 32);
    hash_final(&h, out);
}

/* The leaf of the one-time key q whose chains have all come to their ends. */
static void leaf_of(hash out, const uint8_t id[16], uint32_t q, hash ends[CHAINS])
{
    struct hash h;
    hash k;
    begin(&h, id, q, D_PBLK);
    hash_update(&h, ends, CHAINS * sizeof(hash));
    hash_final(&h, k);
    node(out, id, LEAVES + q, k, 0);
}

static void chains_begin(hash chains[CHAINS], const uint8_t id[16], uint32_t q, const uint8_t seed[32])
{
    static const uint8_t mark = 0xff;
    for (unsigned i = 0; i < CHAINS; i++) {
        struct hash h;
        begin(&h, id, q, i);
        hash_update(&h, &mark, 1);
        hash_update(&h, seed, 32);
        hash_final(&h, chains[i]);
    }
}

/* The places that a message's digest and its checksum put the chains at. */
static void places(uint8_t at[CHAINS], const uint8_t id[16], uint32_t q, const hash randomizer, const uint8_t *m,
                   uint64_t mlen)
{
    struct hash h;
    unsigned checksum = 0;
    begin(&h, id, q, D_MESG);
    hash_update(&h, randomizer, 32);
    hash_update(&h, m, mlen);
    hash_final(&h, at);
    for (int i = 0; i < 32; i++) checksum += LAST - at[i];
    at[32] = (uint8_t)(checksum >> 8);
    at[33] = (uint8_t)checksum;
}

static inline void put_types(uint8_t types[8])
{
    store_be32(types, LMS_TYPE);
    store_be32(types + 4, LMOTS_TYPE);
}

#endif
