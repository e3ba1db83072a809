/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SLH_PARAMETERS_H
#define SLH_PARAMETERS_H

/* SLH-DSA of FIPS 205 with n = 16: sizes, and addresses.  The includer defines,
 * from the standard's table 2,
 *
 *   SLH_LAYERS        d    trees of one-time keys above one another
 *   SLH_HEIGHT        h'   of each of them
 *   SLH_FORS_TREES    k
 *   SLH_FORS_HEIGHT   a */

#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"

#include "../../_shared/bytes.h"
#include "../../_shared/crypto_declassify.h"

#define SLH_N 16
#define SLH_CHAINS 35 /* 32 digits of a value to base 16, and 3 of their checksum (section 5) */
#define SLH_LAST 15   /* place of a chain */

/* Bits, and bytes, of a digest: what FORS signs, the tree's number, the leaf's. */
#define SLH_TREE_BITS (SLH_LAYERS * SLH_HEIGHT - SLH_HEIGHT)
#define SLH_FORS_BYTES ((SLH_FORS_TREES * SLH_FORS_HEIGHT + 7) / 8)
#define SLH_TREE_BYTES ((SLH_TREE_BITS + 7) / 8)
#define SLH_LEAF_BYTES ((SLH_HEIGHT + 7) / 8)
#define SLH_DIGEST_BYTES (SLH_FORS_BYTES + SLH_TREE_BYTES + SLH_LEAF_BYTES)

typedef uint8_t slh_value[SLH_N];

struct slh_secret {
    slh_value seed, prf, public_seed, root;
};

struct slh_public {
    slh_value seed, root;
};

struct slh_fors {
    slh_value secret, path[SLH_FORS_HEIGHT];
};

struct slh_layer {
    slh_value chains[SLH_CHAINS], path[SLH_HEIGHT];
};

struct slh_signature {
    slh_value randomizer;
    struct slh_fors fors[SLH_FORS_TREES];
    struct slh_layer layer[SLH_LAYERS];
};

_Static_assert(sizeof(struct slh_secret) == crypto_sign_SECRETKEYBYTES, "section 9.1");
_Static_assert(sizeof(struct slh_public) == crypto_sign_PUBLICKEYBYTES, "section 9.1");
_Static_assert(sizeof(struct slh_signature) == crypto_sign_BYTES, "section 9.2");

/* Section 4.2. */
enum slh_type {
    SLH_WOTS_HASH,
    SLH_WOTS_PK,
    SLH_TREE,
    SLH_FORS_TREE,
    SLH_FORS_ROOTS,
    SLH_WOTS_PRF,
    SLH_FORS_PRF,
};

/* What the standard names by type: `pair` is the number of the leaf and its keys,
 * `chain` also the height in a tree, `place` in a chain also the number in that height. */
struct slh_address {
    uint32_t layer;
    uint64_t tree; /* 12 bytes there, the first 4 are 0 */
    uint32_t type, pair, chain, place;
};

/* The last 12 bytes of an address, compressed or not. */
static inline void slh_address_end(uint8_t out[12], const struct slh_address *a)
{
    store_be32(out, a->pair);
    store_be32(out + 4, a->chain);
    store_be32(out + 8, a->place);
}

/* An address of another type in the same tree and layer. */
static inline struct slh_address slh_address_of(const struct slh_address *a, enum slh_type type, uint32_t pair)
{
    return (struct slh_address){.layer = a->layer, .tree = a->tree, .type = type, .pair = pair};
}

#endif
