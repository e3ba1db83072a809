/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Optional measures: batches and expanded keys. */

#ifdef crypto_sign_BATCH
static struct {
    unsigned long long count, *mlen, *smlen;
    uint8_t **m, **sm, **pk;
    int *result;
} batch;

/* One key per signature, generated once for the largest batch. */
static void batch_setup(void)
{
    const size_t count = (size_t)max_keys(), most = (size_t)max_length();
    batch.count = count;
    batch.mlen = allocate(count * sizeof *batch.mlen, 0);
    batch.smlen = allocate(count * sizeof *batch.smlen, 0);
    batch.m = allocate(count * sizeof *batch.m, 0);
    batch.sm = allocate(count * sizeof *batch.sm, 0);
    batch.pk = allocate(count * sizeof *batch.pk, 0);
    batch.result = allocate(count * sizeof *batch.result, 0);
    for (size_t i = 0; i < count; i++) {
        batch.m[i] = allocate(most + OVERHEAD, 0);
        batch.sm[i] = allocate(most + OVERHEAD, 0);
        batch.pk[i] = allocate(PK, 0);
    }
}

static void batch_sign(const struct sample *sample)
{
    static struct keys one;
    if (!batch.count) batch_setup();
    for (size_t i = 0; i < sample->keys; i++) {
        draw_keys(&one);
        next_message(sample);
        if (sign_with(batch.sm[i], &batch.smlen[i], m.message, sample->length, one.sk))
            harness_fail(VALID_REJECTED, "signing fails");
        memcpy(batch.pk[i], one.pk, PK);
    }
}

static void batch_opened(const struct sample *sample)
{
    timed_verdict(!m.result, "rejects its own signed messages");
    for (size_t i = 0; i < sample->keys; i++) {
        timed_verdict(!batch.result[i] && batch.mlen[i] == sample->length, "rejects its own signed message");
        timed_own_output(batch.m[i], (size_t)sample->length);
    }
}

static void time_batch(struct sample *sample)
{
    TIME_CHECKED(sample, batch_sign(sample),
                 m.result = crypto_sign_open_batch(batch.result, batch.m, batch.mlen, (const uint8_t *const *)batch.sm,
                                                   batch.smlen, (const uint8_t *const *)batch.pk, sample->keys),
                 batch_opened(sample));
}
#endif

#ifdef crypto_sign_PRECOMPUTES
static crypto_sign_expanded_public *expanded_public(void)
{
    static crypto_sign_expanded_public *storage;
    if (!storage) storage = allocate(crypto_sign_expanded_public_size, 0);
    return storage;
}

static crypto_sign_expanded_secret *expanded_secret(void)
{
    static crypto_sign_expanded_secret *storage;
    if (!storage) storage = allocate(crypto_sign_expanded_secret_size, 0);
    return storage;
}

static void time_expand_public(struct sample *sample)
{
    crypto_sign_expanded_public *key = expanded_public();
    const unsigned char *const pk = m.keys.pk;
    TIME_CHECKED(sample, (void)0, m.result = crypto_sign_expand_public(key, pk),
                 (timed_verdict(!m.result, "rejects its own key"), release_public(key)));
}

static void time_expand_secret(struct sample *sample)
{
    crypto_sign_expanded_secret *key = expanded_secret();
    const unsigned char *const sk = m.keys.sk;
    TIME_CHECKED(sample, (void)0, m.result = crypto_sign_expand_secret(key, sk),
                 (timed_verdict(!m.result, "rejects its own key"), release_secret(key)));
}

/* The first call under an expanded key is not timed: a library may leave part of the expansion to it, such as RSA's
 * blinding factors, and beside a busy neighbour that call may be the only undisturbed one of its series. */
static void time_sign_expanded(struct sample *sample)
{
    crypto_sign_expanded_secret *key = expanded_secret();
    (void)crypto_sign_expand_secret(key, m.keys.sk);
    next_message(sample);
    (void)crypto_sign_expanded(m.sm, &m.smlen, m.message + sample->alignment, sample->length, key);
    TIME_CHECKED(sample, next_message(sample),
                 m.result = crypto_sign_expanded(m.sm, &m.smlen, m.message + sample->alignment, sample->length, key),
                 signed_(sample));
    release_secret(key);
}

static void time_open_expanded(struct sample *sample)
{
    crypto_sign_expanded_public *key = expanded_public();
    MAKE_INPUTS(&m.inputs, sample, make_input(sample));
    (void)crypto_sign_expand_public(key, m.keys.pk);
    TIME_CHECKED(sample, m.smlen = inputs_next(&m.inputs, m.sm),
                 m.result = crypto_sign_open_expanded(m.opened, &m.mlen, m.sm, m.smlen, key), opened(sample));
    release_public(key);
}
#endif

/* Returns 0 if the series was taken, 1 if the implementation does not offer the measure, -1 if it
 * is unknown. */
static int measure_more(struct sample *sample)
{
    static const char *const names[] = {"open_batch", "expand_public", "expand_secret", "open_expanded",
                                        "sign_expanded"};
#ifdef crypto_sign_BATCH
    if (!strcmp(sample->measure, "open_batch")) return time_batch(sample), 0;
#endif
#ifdef crypto_sign_PRECOMPUTES
    if (!strcmp(sample->measure, "open_expanded")) return time_open_expanded(sample), 0;
    if (!strcmp(sample->measure, "sign_expanded")) return time_sign_expanded(sample), 0;
    if (!strcmp(sample->measure, "expand_public")) return time_expand_public(sample), 0;
    if (!strcmp(sample->measure, "expand_secret")) return time_expand_secret(sample), 0;
#endif
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(sample->measure, names[i])) return 1;
    return -1;
}
