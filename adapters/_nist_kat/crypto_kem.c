/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Known answers of crypto_kem; see kat.h. */
#include "crypto_kem.h"

#include <string.h>

#include "kat.h"

#define PK crypto_kem_PUBLICKEYBYTES
#define SK crypto_kem_SECRETKEYBYTES
#define CIPHERTEXT crypto_kem_CIPHERTEXTBYTES
#define SESSION crypto_kem_BYTES

const size_t record_message_bytes = 0;

static struct guard guards[5];
static uint8_t *pk, *sk, *ct, *ss, *opened;

static void check_guards(void)
{
    for (unsigned i = 0; i < 5; i++) guard_check(&guards[i], guards[i].name);
}

static void call_all(void)
{
    pk = zeroed(&guards[0], PK, PK, "public key");
    sk = zeroed(&guards[1], SK, SK, "secret key");
    ct = zeroed(&guards[2], CIPHERTEXT, CIPHERTEXT, "ciphertext");
    ss = zeroed(&guards[3], SESSION, SESSION, "session key");
    opened = zeroed(&guards[4], SESSION, SESSION, "decapsulated session key");
    if (crypto_kem_keypair(pk, sk)) harness_fail(VALID_REJECTED, "key generation fails");
    check_guards();
    if (crypto_kem_enc(ct, ss, pk)) harness_fail(VALID_REJECTED, "encapsulation fails");
    check_guards();
    const int failed = crypto_kem_dec(opened, ct, sk);
    check_guards();
    if (failed || memcmp(opened, ss, SESSION)) harness_fail(VALID_REJECTED, "decapsulation fails");
}

void record_answer(const struct record *record)
{
    (void)record;
    call_all();
    text_hex("pk", pk, PK);
    text_hex("sk", sk, SK);
    text_hex("ct", ct, CIPHERTEXT);
    text_hex("ss", ss, SESSION);
}

int surf_test(void)
{
    for (int i = 0; i < 5; i++) {
        call_all();
        text_line(pk, PK);
        text_line(sk, SK);
        text_line(ct, CIPHERTEXT);
        text_line(ss, SESSION);
        text_line(opened, SESSION);
    }
    return 0;
}
