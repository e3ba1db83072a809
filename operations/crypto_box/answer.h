/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Answers requests. Boxes and messages in them have no zero bytes:
 *
 *   keypair RANDOM                          -> PUBLIC_KEY || SECRET_KEY
 *   box PUBLIC_KEY SECRET_KEY NONCE MESSAGE -> BOXED
 *   open PUBLIC_KEY SECRET_KEY NONCE BOXED  -> MESSAGE, or rejected
 *   own_keypair                             -> PUBLIC_KEY || SECRET_KEY, of whatever random bytes */
#include "own_keypair.h"

int operation_answer(const char *verb)
{
    const int opening = !strcmp(verb, "open");
    size_t length;
    if (!strcmp(verb, "keypair")) return answer_keypair();
    if (!strcmp(verb, "own_keypair")) return answer_own_keypair();
    if (!opening && strcmp(verb, "box")) return -1;
    const uint8_t *pk = request_exactly(PK, "public key"), *sk = request_exactly(SK, "secret key");
    const uint8_t *n = request_exactly(NONCE, "nonce"), *in = request_bytes(&length);
    const size_t in_zeroes = opening ? BOXZERO : ZERO, out_zeroes = opening ? ZERO : BOXZERO;
    const size_t whole = in_zeroes + length;
    uint8_t *from = allocate(whole, 0), *to = allocate(whole, 0); /* zeroed */
    memcpy(from + in_zeroes, in, length);
    if (opening ? crypto_box_open(to, from, whole, n, pk, sk) : crypto_box(to, from, whole, n, pk, sk))
        answer_word("rejected");
    else
        answer_bytes(to + out_zeroes, whole - out_zeroes);
    return 0;
}

static struct keys used;
static uint8_t *in, *out, *used_nonce; /* ZERO + 709 bytes twice, and NONCE */

static void open_used(void)
{
    open_keys(&used);
    in = allocate(ZERO + 709, 0);
    out = allocate(ZERO + 709, 0);
    used_nonce = allocate(NONCE, 0);
}

static void one_keypair(void)
{
    (void)crypto_box_keypair(used.pk, used.sk);
}

static void one_box(void)
{
    (void)crypto_box(out, in, ZERO + 709, used_nonce, used.pk, used.sk);
}

static void one_opening(void)
{
    (void)crypto_box_open(in, out, ZERO + 709, used_nonce, used.pk, used.sk);
}

void operation_info(void)
{
    record_info("public_key_bytes", PK);
    record_info("secret_key_bytes", SK);
    record_info("overhead_bytes", ZERO - BOXZERO);
    record_info("beforenm_bytes", BEFORE);
    open_used();
    random_seed(1);
    one_keypair();
    record_random_usage("keypair_random_bytes", "keypair_random_calls");
    record_info("box_stack_bytes", stack_bytes(one_box));
    record_info("open_stack_bytes", stack_bytes(one_opening));
    record_info("keypair_stack_bytes", stack_bytes(one_keypair));
}
