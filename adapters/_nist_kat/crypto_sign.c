/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Known answers of crypto_sign; see kat.h. */
#include "crypto_sign.h"

#include <string.h>

#include "kat.h"

#define PK crypto_sign_PUBLICKEYBYTES
#define SK crypto_sign_SECRETKEYBYTES

const size_t record_message_bytes = 33;

#define LONGEST_OF_SURF ((size_t)1024)

static struct guard pks, sks, signed_messages, messages;
static uint8_t *pk, *sk, *sm;
static unsigned long long smlen;

static void make_keys(void)
{
    pk = zeroed(&pks, PK, PK, "public key");
    sk = zeroed(&sks, SK, SK, "secret key");
    if (crypto_sign_keypair(pk, sk)) harness_fail(VALID_REJECTED, "key generation fails");
    guard_check(&pks, "public key");
    guard_check(&sks, "secret key");
}

/* Opening may write the whole signed message into the buffer, which has room for it. */
static void sign(const uint8_t *m, size_t mlen)
{
    const size_t room = mlen + crypto_sign_BYTES;
    const size_t capacity = (mlen > LONGEST_OF_SURF ? mlen : LONGEST_OF_SURF) + crypto_sign_BYTES;
    unsigned long long length = 0;
    sm = zeroed(&signed_messages, room, capacity, "signed message");
    uint8_t *opened = zeroed(&messages, room, capacity, "message");
    if (crypto_sign(sm, &smlen, m, mlen, sk)) harness_fail(VALID_REJECTED, "signing fails");
    guard_check(&signed_messages, "signed message");
    if (smlen > room) harness_fail(WRONG_OUTPUT, "signed messages are longer than api.h says");
    const int rejected = crypto_sign_open(opened, &length, sm, smlen, pk);
    guard_check(&messages, "message");
    if (rejected || length != mlen || (mlen && memcmp(opened, m, mlen)))
        harness_fail(VALID_REJECTED, "rejects its own signed message");
}

void record_answer(const struct record *record)
{
    text_number("mlen", record->length);
    text_hex("msg", record->message, record->length);
    make_keys();
    text_hex("pk", pk, PK);
    text_hex("sk", sk, SK);
    sign(record->message, record->length);
    text_number("smlen", smlen);
    text_hex("sm", sm, (size_t)smlen);
}

#ifdef FOREIGN_SIGNATURE
int foreign_sign_signature(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen, const uint8_t *sk);

int surf_test(void)
{
    static const size_t lengths[] = {0, 1, 4, 16, 64, 256, LONGEST_OF_SURF};
    static uint8_t message[LONGEST_OF_SURF], signature[crypto_sign_BYTES];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t length = 0;
        surf_draw(message, lengths[i]);
        make_keys();
        text_line(pk, PK);
        text_line(sk, SK);
        sign(message, lengths[i]);
        if (foreign_sign_signature(signature, &length, message, lengths[i], sk))
            harness_fail(WRONG_OUTPUT, "returns no signature");
        if (length > sizeof signature) harness_fail(WRONG_OUTPUT, "signatures are longer than api.h says");
        text_line(sm, (size_t)smlen);
        text_line(signature, length);
    }
    return 0;
}
#else
int surf_test(void)
{
    return -1;
}
#endif
