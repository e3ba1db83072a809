/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Template, for rows.h: ROWS_SETS = 1, 2 or 3 sets of PER_SET blocks. */

static inline void LANES_PASTE(NAME(cipher_rows), ROWS_SETS)(
    uint8_t *out, const uint8_t *in, const uint32_t *key, const uint32_t *nonce,
    cipher_counter counter)
{
    NAME(cipher_rows) x, y, z;

    x = NAME(cipher_input)(key, nonce, counter);
    y = NAME(cipher_input)(key, nonce, counter + PER_SET);
    z = NAME(cipher_input)(key, nonce, counter + 2 * PER_SET);
    LANES_ROLLED
    for (int i = 0; i < CIPHER_ROUNDS; i += 2) {
        NAME(cipher_double)(&x);
        if (ROWS_SETS > 1) NAME(cipher_double)(&y);
        if (ROWS_SETS > 2) NAME(cipher_double)(&z);
    }
    NAME(cipher_put)(out, in, x, NAME(cipher_input)(key, nonce, counter));
    if (ROWS_SETS > 1)
        NAME(cipher_put)(out + 64 * PER_SET, in ? in + 64 * PER_SET : 0, y,
                         NAME(cipher_input)(key, nonce, counter + PER_SET));
    if (ROWS_SETS > 2)
        NAME(cipher_put)(out + 128 * PER_SET, in ? in + 128 * PER_SET : 0, z,
                         NAME(cipher_input)(key, nonce, counter + 2 * PER_SET));
}

#undef ROWS_SETS
