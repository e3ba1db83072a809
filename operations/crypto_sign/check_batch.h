/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property of batches: each result of a batch equals the result for that message alone. */
#ifndef crypto_sign_BATCH
static void batches(struct keys *keys, struct keys *other)
{
    (void)keys, (void)other;
}
#else

#define BATCH 64
#define BATCH_MESSAGE 100
#define BATCH_FORGERIES 2000 /* some two for each bit of a short signature */

static uint8_t *batch_sm[BATCH], *batch_m[BATCH], *batch_pk[BATCH], batch_original[BATCH][BATCH_MESSAGE];
static unsigned long long batch_smlen[BATCH];

static void batch_open(void)
{
    const size_t most = BATCH_MESSAGE + OVERHEAD;
    uint8_t *sm = allocate(BATCH * most, 0), *m = allocate(BATCH * most, 0), *pk = allocate(BATCH * PK, 0);
    for (size_t i = 0; i < BATCH; i++)
        batch_sm[i] = sm + i * most, batch_m[i] = m + i * most, batch_pk[i] = pk + i * PK;
}

static void batch_fill(struct keys *keys, struct keys *other)
{
    for (size_t i = 0; i < BATCH; i++) {
        struct keys *one = i % 3 ? keys : other;
        prng_fill(message, i);
        memcpy(batch_original[i], message, i);
        sign(one, i, GUARD_BACK);
        memcpy(batch_sm[i], signed_message, signed_length);
        memcpy(batch_pk[i], one->pk, PK); /* after signing, which may have generated a new stateful key */
        batch_smlen[i] = signed_length;
    }
}

/* Changes message `bad` if it is in the batch. */
static void batch_one(size_t count, size_t bad)
{
    static const uint8_t *sm[BATCH], *pk[BATCH];
    static uint8_t *m[BATCH];
    unsigned long long mlen[BATCH];
    int result[BATCH];
    harness_case("batch of %zu, message %zu invalid", count, bad);
    for (size_t i = 0; i < count; i++) {
        sm[i] = batch_sm[i], pk[i] = batch_pk[i], m[i] = batch_m[i];
        result[i] = i == bad ? 0 : -1;
    }
    const size_t at = bad < count ? (size_t)(prng_word() % batch_smlen[bad]) : 0;
    const uint8_t bit = (uint8_t)(1u << prng_word() % 8);
    if (bad < count) batch_sm[bad][at] ^= bit;
    const int all = crypto_sign_open_batch(result, m, mlen, sm, batch_smlen, pk, count);
    if (bad < count) batch_sm[bad][at] ^= bit;
    if (!all != (bad >= count)) harness_fail(WRONG_OUTPUT, "returns %d for the whole batch", all);
    for (size_t i = 0; i < count; i++) {
        if (!result[i] != (i != bad)) harness_fail(WRONG_OUTPUT, "returns %d for message %zu", result[i], i);
        if (i == bad) continue;
        if (mlen[i] != i || memcmp(batch_m[i], batch_original[i], i))
            harness_fail(WRONG_OUTPUT, "opens message %zu to a different message", i);
    }
}

static void batches(struct keys *keys, struct keys *other)
{
    cpu_budget_start(EXTRA_CASES_SECONDS / 2);
    batch_open();
    batch_fill(keys, other);
    for (size_t count = 0; count <= BATCH; count = count < 4 ? count + 1 : 2 * count) {
        batch_one(count, BATCH);
        for (size_t i = 0; i < count && (!i || cpu_budget_left()); i += 1 + count / 16) batch_one(count, i);
    }
    for (size_t i = 0; i < BATCH_FORGERIES && cpu_budget_left(); i++) batch_one(4, i % 4);
}

#endif
