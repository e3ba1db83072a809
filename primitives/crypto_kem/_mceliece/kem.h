/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_kem of Classic McEliece: key generation from a seed, errors of fixed
 * weight as session keys' secrets, implicit rejection. */

#include "../../_shared/keccak.h"

#include "decode.h"
#include "systematic.h"

#define ITEM uint64_t
#define SORT sort_words
#include "sort.h"
#undef ITEM
#undef SORT

#define RATE 136 /* SHAKE256 */

/* ---- keys -------------------------------------------------------------------- */

/* FieldOrdering: q words of 32 bits, sorted; not 0 when two are equal. */
static int field_ordering(uint16_t pi[Q], keccak_sponge *stream)
{
    uint64_t items[Q];
    uint8_t bytes[4 * Q];
    int equal = 0;
    keccak_squeeze(stream, RATE, bytes, sizeof bytes);
    for (unsigned i = 0; i < Q; i++) items[i] = (uint64_t)load_le32(bytes + 4 * i) << 16 | i;
    sort_words(items, Q, 1);
    for (unsigned i = 1; i < Q; i++) equal |= items[i - 1] >> 16 == items[i] >> 16;
    for (unsigned i = 0; i < Q; i++) pi[i] = (uint16_t)items[i];
    crypto_declassify(&equal, sizeof equal); /* then this seed is not used */
    return equal;
}

/* Irreducible: t words of 16 bits, an element of GF(q^t). */
static void random_element(uint16_t element[LANES], keccak_sponge *stream)
{
    uint8_t bytes[2 * T];
    memset(element, 0, LANES * sizeof element[0]);
    keccak_squeeze(stream, RATE, bytes, sizeof bytes);
    for (unsigned i = 0; i < T; i++) element[i] = (uint16_t)((bytes[2 * i] | bytes[2 * i + 1] << 8) & (Q - 1));
}

/* SeededKeyGen's one attempt: 0, or the seed of the next attempt in `next`. */
static int key_pair_of_seed(unsigned char *pk, unsigned char *sk, const uint8_t seed[SEED_BYTES],
                            uint8_t next[SEED_BYTES])
{
    static const uint8_t separator = 64;
    keccak_sponge stream;
    struct support support;
    uint16_t pi[Q], element[LANES], g[T];
    keccak_start(&stream);
    keccak_absorb(&stream, RATE, &separator, 1);
    keccak_absorb(&stream, RATE, seed, SEED_BYTES);
    keccak_pad(&stream, RATE, 0x1f);
    keccak_squeeze(&stream, RATE, sk + AT_REJECTED, ERROR_BYTES);
    const int equal = field_ordering(pi, &stream);
    random_element(element, &stream);
    keccak_squeeze(&stream, RATE, next, SEED_BYTES);
    if (equal || minimal_polynomial(g, element)) return -1;
    support_of_permutation(&support, pi);
    if (public_key(pk, &support, g)) return -1;
    memcpy(sk + AT_SEED, seed, SEED_BYTES);
    store_le64(sk + AT_PIVOTS, 0xffffffff);
    for (unsigned i = 0; i < T; i++) {
        sk[AT_GOPPA + 2 * i] = (unsigned char)g[i];
        sk[AT_GOPPA + 2 * i + 1] = (unsigned char)(g[i] >> 8);
    }
    network_bits(sk + AT_NETWORK, pi);
    return 0;
}

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    uint8_t seed[SEED_BYTES], next[SEED_BYTES];
    randombytes(seed, sizeof seed);
    while (key_pair_of_seed(pk, sk, seed, next)) memcpy(seed, next, sizeof seed);
    return 0;
}

/* ---- session keys -------------------------------------------------------------- */

/* FixedWeight: t distinct positions, all sets of them equally likely.  Words of 16
 * bits, of which enough are drawn that t are likely to be positions. */
#define DRAWN (N == Q ? T : 2 * T)
_Static_assert(N > Q / 2, "what is drawn is as the specification has it");

static void errors_at(uint64_t errors[CODE_WORDS], const uint16_t position[T])
{
    uint64_t bit[T];
    for (unsigned i = 0; i < T; i++) bit[i] = (uint64_t)1 << position[i] % 64;
    for (unsigned w = 0; w < CODE_WORDS; w++) {
        errors[w] = 0;
        for (unsigned i = 0; i < T; i++) errors[w] |= bit[i] & -(((uint64_t)(position[i] / 64 ^ w) - 1) >> 63);
    }
}

static void random_errors(uint64_t errors[CODE_WORDS])
{
    for (;;) {
        uint8_t bytes[2 * DRAWN];
        uint16_t position[T];
        unsigned found = 0;
        randombytes(bytes, sizeof bytes);
        for (unsigned i = 0; i < DRAWN && found < T; i++) {
            const unsigned x = (bytes[2 * i] | (unsigned)bytes[2 * i + 1] << 8) & (Q - 1);
            int inside = x < N;
            crypto_declassify(&inside, sizeof inside); /* says nothing of those that are */
            if (inside) position[found++] = (uint16_t)x;
        }
        if (found < T) continue;
        errors_at(errors, position);
        int all = weight_of(errors) == T;
        crypto_declassify(&all, sizeof all); /* or these are not used */
        if (all) return;
    }
}

/* Encode: (1 | T) times the errors. */
static void encode(unsigned char *c, const uint64_t errors[CODE_WORDS], const unsigned char *pk)
{
    uint64_t right[ROW_BYTES / 8 + 1];
    for (unsigned w = 0; w < ROW_BYTES / 8 + 1; w++) {
        const unsigned at = ROWS + 64 * w;
        right[w] = at / 64 < CODE_WORDS ? errors[at / 64] >> at % 64 : 0;
        if (at / 64 + 1 < CODE_WORDS) right[w] |= errors[at / 64 + 1] << 1 << (63 - at % 64);
    }
    memset(c, 0, crypto_kem_CIPHERTEXTBYTES);
    for (unsigned r = 0; r < ROWS; r++, pk += ROW_BYTES) {
        uint8_t end[8] = {0};
        memcpy(end, pk + ROW_BYTES / 8 * 8, ROW_BYTES % 8);
        uint64_t sum = load_le64(end) & right[ROW_BYTES / 8];
        for (unsigned w = 0; w < ROW_BYTES / 8; w++) sum ^= load_le64(pk + 8 * w) & right[w];
        c[r / 8] |= (unsigned char)((parity(sum) ^ (errors[r / 64] >> r % 64 & 1)) << r % 8);
    }
}

/* Hash(kind, e, C) */
static void session_key(unsigned char k[32], unsigned kind, const unsigned char e[ERROR_BYTES], const unsigned char *c)
{
    const uint8_t first = (uint8_t)kind;
    keccak_sponge h;
    keccak_start(&h);
    keccak_absorb(&h, RATE, &first, 1);
    keccak_absorb(&h, RATE, e, ERROR_BYTES);
    keccak_absorb(&h, RATE, c, crypto_kem_CIPHERTEXTBYTES);
    keccak_pad(&h, RATE, 0x1f);
    keccak_squeeze(&h, RATE, k, 32);
}

static void put_errors(unsigned char out[8 * CODE_WORDS], const uint64_t errors[CODE_WORDS])
{
    for (unsigned w = 0; w < CODE_WORDS; w++) store_le64(out + 8 * w, errors[w]);
}

/* Whether bits behind the last of a row, or of a ciphertext, are set: there are
 * such bits for n = 6960 only, and both are refused. */
static int refused(const unsigned char *rows, unsigned count, unsigned bytes, unsigned bits)
{
    unsigned set = 0;
    if (bits % 8)
        for (unsigned i = 1; i <= count; i++) set |= rows[(size_t)i * bytes - 1] >> bits % 8;
    return set ? -1 : 0;
}

int crypto_kem_enc(unsigned char *c, unsigned char *k, const unsigned char *pk)
{
    uint64_t errors[CODE_WORDS];
    unsigned char e[8 * CODE_WORDS];
    if (refused(pk, ROWS, ROW_BYTES, K)) return -1;
    random_errors(errors);
    encode(c, errors, pk);
    put_errors(e, errors);
    session_key(k, 1, e, c);
    return 0;
}

int crypto_kem_dec(unsigned char *k, const unsigned char *c, const unsigned char *sk)
{
    uint64_t errors[CODE_WORDS];
    unsigned char e[8 * CODE_WORDS];
    if (refused(c, 1, crypto_kem_CIPHERTEXTBYTES, ROWS)) return -1;
    const unsigned found = decode(errors, c, sk);
    put_errors(e, errors);
    for (unsigned i = 0; i < ERROR_BYTES; i++)
        e[i] = (unsigned char)((e[i] & -found) | (sk[AT_REJECTED + i] & (found - 1)));
    session_key(k, found, e, c);
    return 0;
}
