/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_kem; see checksum.h. */
#include "crypto_kem.h"

#include "checksum.h"

static struct sum_array pk, sk, ciphertext, session, opened;

static int call_keypair(unsigned char *const *p)
{
    return crypto_kem_keypair(p[0], p[1]);
}

static int call(unsigned char *const *p)
{
    return crypto_kem_enc(p[0], p[1], p[2]);
}

static int call_open(unsigned char *const *p)
{
    return crypto_kem_dec(p[0], p[1], p[2]);
}

static const struct sum_function keypair = {"crypto_kem_keypair", call_keypair, {&pk, &sk}, {NULL}, 1, 1},
                                 encapsulate = {"crypto_kem_enc", call, {&ciphertext, &session}, {&pk}, 1, 1},
                                 decapsulate = {"crypto_kem_dec", call_open, {&opened}, {&ciphertext, &sk}, 0, 0};

void sum_test(void)
{
    sum_open(&pk, "public key", crypto_kem_PUBLICKEYBYTES);
    sum_open(&sk, "secret key", crypto_kem_SECRETKEYBYTES);
    sum_open(&ciphertext, "ciphertext", crypto_kem_CIPHERTEXTBYTES);
    sum_open(&session, "session key", crypto_kem_BYTES);
    sum_open(&opened, "decapsulated session key", crypto_kem_BYTES);
    for (size_t loop = 0; loop < sum_loops(8, 64); loop++) {
        pk.length = crypto_kem_PUBLICKEYBYTES;
        sk.length = crypto_kem_SECRETKEYBYTES;
        ciphertext.length = crypto_kem_CIPHERTEXTBYTES;
        session.length = opened.length = crypto_kem_BYTES;
        sum_run(&keypair);
        sum_run(&encapsulate);
        sum_run(&decapsulate);
        sum_equal(&opened, &session);
        for (int i = 0; i < 3; i++) { /* the result for a changed ciphertext is part of the definition */
            harness_case("one byte of the ciphertext changed");
            sum_change(&ciphertext);
            sum_absorb(sum_try(&decapsulate) ? &ciphertext : &opened);
        }
    }
}
