/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_sign of SLH-DSA (FIPS 205, sections 9 and 10), pure, with an empty
 * context, over sha2.h or shake.h: a signed message is the signature, then the
 * message. */

#include "randombytes.h"

#include "trees.h"

/* Where a digest puts the signature: section 9.2, algorithm 19. */
struct slh_spot {
    const uint8_t *bits; /* what FORS signs */
    uint64_t tree;
    uint32_t leaf;
};

static struct slh_spot slh_spot_of(const uint8_t digest[SLH_DIGEST_BYTES])
{
    struct slh_spot spot = {.bits = digest, .tree = 0, .leaf = 0};
    const uint8_t *tree = digest + SLH_FORS_BYTES, *leaf = tree + SLH_TREE_BYTES;
    for (unsigned i = 0; i < SLH_TREE_BYTES; i++) spot.tree = spot.tree << 8 | tree[i];
    for (unsigned i = 0; i < SLH_LEAF_BYTES; i++) spot.leaf = spot.leaf << 8 | leaf[i];
    spot.tree &= ~(uint64_t)0 >> (64 - SLH_TREE_BITS);
    spot.leaf &= (1u << SLH_HEIGHT) - 1;
    return spot;
}

/* To the tree above, where the tree below is the leaf. */
static void slh_spot_up(struct slh_spot *spot)
{
    spot->leaf = spot->tree & ((1u << SLH_HEIGHT) - 1);
    spot->tree >>= SLH_HEIGHT;
}

/* The public key of FORS from the roots of its trees. */
static void slh_fors_public(const struct slh_signer *s, slh_value out, const struct slh_address *a,
                            slh_value roots[SLH_FORS_TREES])
{
    const struct slh_address all = slh_address_of(a, SLH_FORS_ROOTS, a->pair);
    slh_hash(&s->hash, out, &all, roots, SLH_FORS_TREES * SLH_N);
}

static void slh_fors_sign(const struct slh_signer *s, slh_value out, struct slh_fors *signature,
                          const struct slh_spot *spot)
{
    const struct slh_address a = {.tree = spot->tree, .type = SLH_FORS_TREE, .pair = spot->leaf};
    slh_value roots[SLH_FORS_TREES];
    for (uint32_t i = 0; i < SLH_FORS_TREES; i++) {
        const uint32_t number = slh_fors_number(spot->bits, i);
        slh_fors_secret(s, signature[i].secret, &a, number);
        slh_tree(s, roots[i], signature[i].path, &a, slh_fors_leaf, i << SLH_FORS_HEIGHT, SLH_FORS_HEIGHT, number);
    }
    slh_fors_public(s, out, &a, roots);
}

static void slh_fors_verify(const struct slh_signer *s, slh_value out, const struct slh_fors *signature,
                            const struct slh_spot *spot)
{
    const struct slh_address a = {.tree = spot->tree, .type = SLH_FORS_TREE, .pair = spot->leaf};
    slh_value roots[SLH_FORS_TREES];
    for (uint32_t i = 0; i < SLH_FORS_TREES; i++) {
        const uint32_t number = slh_fors_number(spot->bits, i);
        memcpy(roots[i], signature[i].secret, SLH_N);
        slh_fors_hash(s, roots[i], a, number);
        slh_climb(s, roots[i], (const slh_value *)signature[i].path, &a, SLH_FORS_HEIGHT, number);
    }
    slh_fors_public(s, out, &a, roots);
}

/* Signs a value by a leaf of a tree of one-time keys; then it is that tree's root. */
static void slh_layer_sign(const struct slh_signer *s, slh_value value, struct slh_layer *signature, uint32_t layer,
                           const struct slh_spot *spot)
{
    const struct slh_address a = {.layer = layer, .tree = spot->tree, .type = SLH_TREE};
    struct slh_address chain = slh_address_of(&a, SLH_WOTS_HASH, spot->leaf);
    uint8_t at[SLH_CHAINS];
    slh_places(at, value);
    for (chain.chain = 0; chain.chain < SLH_CHAINS; chain.chain++) {
        slh_chain_secret(s, signature->chains[chain.chain], &chain);
        slh_chain(s, signature->chains[chain.chain], &chain, 0, at[chain.chain]);
    }
    slh_tree(s, value, signature->path, &a, slh_wots_leaf, 0, SLH_HEIGHT, spot->leaf);
}

/* The root that a signature of a value leads to. */
static void slh_layer_verify(const struct slh_signer *s, slh_value value, const struct slh_layer *signature,
                             uint32_t layer, const struct slh_spot *spot)
{
    const struct slh_address a = {.layer = layer, .tree = spot->tree, .type = SLH_TREE};
    struct slh_address chain = slh_address_of(&a, SLH_WOTS_HASH, spot->leaf);
    slh_value ends[SLH_CHAINS];
    uint8_t at[SLH_CHAINS];
    slh_places(at, value);
    memcpy(ends, signature->chains, sizeof ends);
    for (chain.chain = 0; chain.chain < SLH_CHAINS; chain.chain++)
        slh_chain(s, ends[chain.chain], &chain, at[chain.chain], SLH_LAST);
    slh_wots_public(s, value, &chain, ends);
    slh_climb(s, value, (const slh_value *)signature->path, &a, SLH_HEIGHT, spot->leaf);
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    const struct slh_address top = {.layer = SLH_LAYERS - 1, .type = SLH_TREE};
    struct slh_secret key;
    struct slh_signer s = {.secret_seed = key.seed};
    randombytes(key.seed, SLH_N);
    randombytes(key.prf, SLH_N);
    randombytes(key.public_seed, SLH_N);
    slh_start(&s.hash, key.public_seed);
    slh_tree(&s, key.root, 0, &top, slh_wots_leaf, 0, SLH_HEIGHT, 0);
    memcpy(sk, &key, sizeof key);
    memcpy(pk, sk + 2 * SLH_N, crypto_sign_PUBLICKEYBYTES);
    return 0;
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    struct slh_secret key;
    struct slh_public public_key;
    struct slh_signature signature;
    struct slh_signer s = {.secret_seed = key.seed};
    slh_value random, value;
    uint8_t digest[SLH_DIGEST_BYTES];
    memcpy(&key, sk, sizeof key);
    memcpy(&public_key, sk + 2 * SLH_N, sizeof public_key);
    slh_start(&s.hash, key.public_seed);
    randombytes(random, SLH_N);
    slh_randomizer(signature.randomizer, key.prf, random, m, mlen);
    slh_digest(digest, signature.randomizer, &public_key, m, mlen);
    crypto_declassify(digest, sizeof digest); /* of the randomizer, which is sent, the public key and the message */
    struct slh_spot spot = slh_spot_of(digest);
    slh_fors_sign(&s, value, signature.fors, &spot);
    for (uint32_t layer = 0; layer < SLH_LAYERS; layer++, slh_spot_up(&spot))
        slh_layer_sign(&s, value, &signature.layer[layer], layer, &spot);
    if (mlen > 0) memcpy(sm + sizeof signature, m, mlen);
    memcpy(sm, &signature, sizeof signature);
    *smlen = mlen + sizeof signature;
    return 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    struct slh_public key;
    struct slh_signature signature;
    struct slh_signer s = {.secret_seed = 0};
    slh_value value;
    uint8_t digest[SLH_DIGEST_BYTES];
    if (smlen < sizeof signature) return -1;
    memcpy(&key, pk, sizeof key);
    memcpy(&signature, sm, sizeof signature);
    slh_start(&s.hash, key.seed);
    slh_digest(digest, signature.randomizer, &key, sm + sizeof signature, smlen - sizeof signature);
    struct slh_spot spot = slh_spot_of(digest);
    slh_fors_verify(&s, value, signature.fors, &spot);
    for (uint32_t layer = 0; layer < SLH_LAYERS; layer++, slh_spot_up(&spot))
        slh_layer_verify(&s, value, &signature.layer[layer], layer, &spot);
    if (memcmp(value, key.root, SLH_N)) return -1;
    *mlen = smlen - sizeof signature;
    if (*mlen > 0) memcpy(m, sm + sizeof signature, *mlen);
    return 0;
}
