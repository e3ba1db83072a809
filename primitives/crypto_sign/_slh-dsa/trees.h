/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SLH_TREES_H
#define SLH_TREES_H

/* FIPS 205, sections 5 to 8: chains, and hash trees over them and over FORS's
 * secrets.  The standard computes each node of a path for itself; here one walk
 * over the leaves gives the path and the root. */

#include "parameters.h"

struct slh_signer {
    struct slh_context hash;
    const uint8_t *secret_seed; /* null: verifies */
};

/* ---- trees ---------------------------------------------------------------- */

/* Leaf `number` of the tree that `a` names. */
typedef void slh_leaf(const struct slh_signer *s, slh_value out, const struct slh_address *a, uint32_t number);

static void slh_node(const struct slh_signer *s, slh_value out, struct slh_address a, uint32_t height, uint32_t number,
                     const uint8_t *left, const uint8_t *right)
{
    slh_value both[2];
    memcpy(both[0], left, SLH_N);
    memcpy(both[1], right, SLH_N);
    a.chain = height;
    a.place = number;
    slh_hash(&s->hash, out, &a, both, sizeof both);
}

/* Root of the tree of leaves first to first + 2^height - 1, first a multiple of
 * 2^height; path: the nodes beside the way to `leaf`, from below, or null. */
static void slh_tree(const struct slh_signer *s, slh_value root, slh_value *path, const struct slh_address *a,
                     slh_leaf *leaf_of, uint32_t first, unsigned height, uint32_t leaf)
{
    slh_value waiting[SLH_HEIGHT + SLH_FORS_HEIGHT]; /* left nodes without their right ones */
    for (uint32_t number = first; number < first + (1u << height); number++) {
        slh_value node;
        leaf_of(s, node, a, number);
        for (unsigned z = 0;; z++) {
            if (z == height) {
                memcpy(root, node, SLH_N);
                break;
            }
            if (path && (number ^ 1u << z) >> z == leaf >> z) memcpy(path[z], node, SLH_N);
            if (!(number >> z & 1)) {
                memcpy(waiting[z], node, SLH_N);
                break;
            }
            slh_node(s, node, *a, z + 1, number >> (z + 1), waiting[z], node);
        }
    }
}

/* From a leaf's value to the root of its tree. */
static void slh_climb(const struct slh_signer *s, slh_value node, const slh_value *path, const struct slh_address *a,
                      unsigned height, uint32_t leaf)
{
    for (unsigned z = 0; z < height; z++)
        if (leaf >> z & 1) slh_node(s, node, *a, z + 1, leaf >> (z + 1), path[z], node);
        else slh_node(s, node, *a, z + 1, leaf >> (z + 1), node, path[z]);
}

/* ---- one-time keys: section 5 --------------------------------------------- */

/* Secret of chain `a->chain`. */
static void slh_chain_secret(const struct slh_signer *s, slh_value out, const struct slh_address *a)
{
    struct slh_address secret = slh_address_of(a, SLH_WOTS_PRF, a->pair);
    secret.chain = a->chain;
    slh_hash(&s->hash, out, &secret, s->secret_seed, SLH_N);
}

static void slh_chain(const struct slh_signer *s, slh_value value, struct slh_address *a, unsigned from, unsigned to)
{
    for (a->place = from; a->place < to; a->place++) slh_hash(&s->hash, value, a, value, SLH_N);
}

static void slh_wots_public(const struct slh_signer *s, slh_value out, const struct slh_address *a,
                            slh_value ends[SLH_CHAINS])
{
    const struct slh_address key = slh_address_of(a, SLH_WOTS_PK, a->pair);
    slh_hash(&s->hash, out, &key, ends, SLH_CHAINS * SLH_N);
}

/* A leaf of a tree of one-time keys. */
static void slh_wots_leaf(const struct slh_signer *s, slh_value out, const struct slh_address *a, uint32_t number)
{
    struct slh_address chain = slh_address_of(a, SLH_WOTS_HASH, number);
    slh_value ends[SLH_CHAINS];
    for (chain.chain = 0; chain.chain < SLH_CHAINS; chain.chain++) {
        slh_chain_secret(s, ends[chain.chain], &chain);
        slh_chain(s, ends[chain.chain], &chain, 0, SLH_LAST);
    }
    slh_wots_public(s, out, &chain, ends);
}

/* The places of the chains that sign a value.  It is public: who has the
 * signature computes it. */
static void slh_places(uint8_t at[SLH_CHAINS], const slh_value value)
{
    unsigned checksum = 0;
    crypto_declassify(value, SLH_N);
    for (unsigned i = 0; i < SLH_CHAINS - 3; i++) {
        at[i] = value[i / 2] >> (i % 2 ? 0 : 4) & 15;
        checksum += SLH_LAST - at[i];
    }
    for (unsigned i = SLH_CHAINS - 3; i < SLH_CHAINS; i++) at[i] = checksum >> 4 * (SLH_CHAINS - 1 - i) & 15;
}

/* ---- few-times keys: section 8 -------------------------------------------- */

static void slh_fors_secret(const struct slh_signer *s, slh_value out, const struct slh_address *a, uint32_t number)
{
    struct slh_address secret = slh_address_of(a, SLH_FORS_PRF, a->pair);
    secret.place = number;
    slh_hash(&s->hash, out, &secret, s->secret_seed, SLH_N);
}

/* The leaf of a secret, of which it is the hash. */
static void slh_fors_hash(const struct slh_signer *s, slh_value value, struct slh_address a, uint32_t number)
{
    a.chain = 0;
    a.place = number;
    slh_hash(&s->hash, value, &a, value, SLH_N);
}

static void slh_fors_leaf(const struct slh_signer *s, slh_value out, const struct slh_address *a, uint32_t number)
{
    slh_fors_secret(s, out, a, number);
    slh_fors_hash(s, out, *a, number);
}

/* The leaf of tree i that `bits` choose, numbered through all trees: base_2b (algorithm 4). */
static uint32_t slh_fors_number(const uint8_t bits[SLH_FORS_BYTES], uint32_t i)
{
    uint32_t number = i;
    for (unsigned at = i * SLH_FORS_HEIGHT; at < (i + 1) * SLH_FORS_HEIGHT; at++)
        number = number << 1 | (bits[at / 8] >> (7 - at % 8) & 1u);
    return number;
}

#endif
