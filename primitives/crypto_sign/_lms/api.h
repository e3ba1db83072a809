/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_sign of LMS over lms.h and the includer's `advance`. */

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    struct secret s;
    struct public p;
    uint8_t from[CHAINS] = {0}, to[CHAINS];
    memset(to, LAST, sizeof to);
    put_types(s.types);
    put_types(p.types);
    store_be32(s.q, 0);
    randombytes(s.id, sizeof s.id);
    randombytes(s.seed, sizeof s.seed);
    for (uint32_t q = 0; q < LEAVES; q++) {
        hash chains[CHAINS];
        chains_begin(chains, s.id, q, s.seed);
        advance(chains, s.id, q, from, to);
        leaf_of(s.tree[LEAVES + q - 1], s.id, q, chains);
    }
    for (uint32_t n = LEAVES - 1; n > 0; n--) node(s.tree[n - 1], s.id, n, s.tree[2 * n - 1], s.tree[2 * n]);
    memcpy(p.id, s.id, sizeof p.id);
    memcpy(p.root, s.tree[0], sizeof p.root);
    memcpy(pk, &p, sizeof p);
    memcpy(sk, &s, sizeof s);
    return 0;
}

int crypto_sign_stateful(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                         unsigned long long mlen, unsigned char *sk)
{
    struct secret s;
    struct signature signature;
    uint8_t from[CHAINS] = {0}, to[CHAINS];
    uint32_t q;
    memcpy(&s, sk, sizeof s);
    q = load_be32(s.q);
    if (q >= LEAVES) return -1;
    store_be32(sk + offsetof(struct secret, q), q + 1);
    __asm__ volatile("" ::: "memory"); /* from here on the state is used */
    store_be32(signature.q, q);
    store_be32(signature.lmots_type, LMOTS_TYPE);
    store_be32(signature.lms_type, LMS_TYPE);
    randombytes(signature.randomizer, sizeof signature.randomizer);
    places(to, s.id, q, signature.randomizer, m, mlen);
    chains_begin(signature.chains, s.id, q, s.seed);
    advance(signature.chains, s.id, q, from, to);
    for (unsigned i = 0, n = LEAVES + q; i < HEIGHT; i++, n /= 2) memcpy(signature.path[i], s.tree[(n ^ 1) - 1], 32);
    if (mlen > 0) memmove(sm + sizeof signature, m, mlen);
    memcpy(sm, &signature, sizeof signature);
    *smlen = mlen + sizeof signature;
    return 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    struct public p;
    struct signature s;
    uint8_t from[CHAINS], to[CHAINS];
    uint32_t q;
    hash top;
    if (smlen < sizeof s) return -1;
    memcpy(&s, sm, sizeof s);
    memcpy(&p, pk, sizeof p);
    q = load_be32(s.q);
    put_types(to); /* the only types there are here */
    if (memcmp(p.types, to, 8) || memcmp(s.lms_type, to, 4) || memcmp(s.lmots_type, to + 4, 4) || q >= LEAVES)
        return -1;
    memset(to, LAST, sizeof to);
    places(from, p.id, q, s.randomizer, sm + sizeof s, smlen - sizeof s);
    advance(s.chains, p.id, q, from, to);
    leaf_of(top, p.id, q, s.chains);
    for (unsigned i = 0, n = LEAVES + q; i < HEIGHT; i++, n /= 2)
        node(top, p.id, n / 2, n % 2 ? s.path[i] : top, n % 2 ? top : s.path[i]);
    if (memcmp(top, p.root, sizeof top)) return -1;
    *mlen = smlen - sizeof s;
    if (*mlen > 0) memmove(m, sm + sizeof s, *mlen);
    return 0;
}
