/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the secret key and the message. Public: public keys, nonces, boxes, and whether a box is accepted. */
#include "crypto_box.h"
#include "secret.h"
#include "verification.h"

#define LENGTH 300
#define MAX_LENGTH (crypto_box_ZEROBYTES + LENGTH)

static unsigned char *pk, *sk, *m, *c, *n, *opened;

static void begin(void)
{
    pk = allocate(crypto_box_PUBLICKEYBYTES, 0);
    sk = allocate(crypto_box_SECRETKEYBYTES, 0);
    m = allocate(MAX_LENGTH, 0);
    c = allocate(MAX_LENGTH, 0);
    opened = allocate(MAX_LENGTH, 0);
    n = allocate(crypto_box_NONCEBYTES, 0);
    prng_fill(n, crypto_box_NONCEBYTES);
}

/* Boxes a new message for a new key pair, from the same one: that key opens it, too. */
static void box(void)
{
    int result = crypto_box_keypair(pk, sk);
    secret_clear(pk, crypto_box_PUBLICKEYBYTES);
    secret_mark(sk, crypto_box_SECRETKEYBYTES);
    secret_text(m + crypto_box_ZEROBYTES, LENGTH);
    result |= crypto_box(c, m, MAX_LENGTH, n, pk, sk);
    secret_clear(c, MAX_LENGTH);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(VALID_REJECTED, "rejects a valid message");
}

static int open_box(void)
{
    return crypto_box_open(opened, c, MAX_LENGTH, n, pk, sk);
}

void operation_secrets(void)
{
    begin();
    box();
}

void operation_verifications(void)
{
    begin();
    const struct verification opening = {
        .prepare = box,
        .call = open_box,
        .packet = c + crypto_box_BOXZEROBYTES,
        .packet_bytes = MAX_LENGTH - crypto_box_BOXZEROBYTES,
        .tag = c + crypto_box_BOXZEROBYTES,
        .tag_bytes = crypto_box_ZEROBYTES - crypto_box_BOXZEROBYTES,
        .texts = 8,
    };
    verification_follow(&opening);
}
