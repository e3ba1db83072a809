/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: nonces, boxes, and whether a box is accepted. */
#include "crypto_secretbox.h"
#include "secret.h"
#include "verification.h"

#define MAX_LENGTH (crypto_secretbox_ZEROBYTES + 600)

static unsigned char m[MAX_LENGTH], c[MAX_LENGTH], n[crypto_secretbox_NONCEBYTES], k[crypto_secretbox_KEYBYTES];
static size_t length;

static void box(void)
{
    secret_fill(k, sizeof k);
    secret_text(m + crypto_secretbox_ZEROBYTES, length);
    int result = crypto_secretbox(c, m, crypto_secretbox_ZEROBYTES + length, n, k);
    secret_clear(&result, sizeof result);
    secret_clear(c, sizeof c);
    if (result) harness_fail(VALID_REJECTED, "rejects a valid message");
}

static int open_box(void)
{
    static unsigned char opened[MAX_LENGTH];
    return crypto_secretbox_open(opened, c, crypto_secretbox_ZEROBYTES + length, n, k);
}

void operation_secrets(void)
{
    prng_fill(n, sizeof n);
    length = 300;
    box();
}

void operation_verifications(void)
{
    for (unsigned i = 0; verification_length(i, &length); i++) {
        const struct verification opening = {
            .prepare = box,
            .call = open_box,
            .packet = c + crypto_secretbox_BOXZEROBYTES,
            .packet_bytes = crypto_secretbox_ZEROBYTES - crypto_secretbox_BOXZEROBYTES + length,
            .tag = c + crypto_secretbox_BOXZEROBYTES,
            .tag_bytes = crypto_secretbox_ZEROBYTES - crypto_secretbox_BOXZEROBYTES,
            .texts = 256,
        };
        verification_follow(&opening);
    }
}
