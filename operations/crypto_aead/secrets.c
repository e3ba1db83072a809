/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the plaintext. Public: nonce, associated data, the encrypted packet, the
 * lengths, and whether a packet is accepted. */
#include "crypto_aead.h"
#include "secret.h"
#include "verification.h"

#define MAX_LENGTH 600

static crypto_aead_key *expanded;
static uint8_t *key, *nonce, *packet;
static uint8_t text[MAX_LENGTH], opened[MAX_LENGTH + 64 + crypto_aead_ROOM], ad[32];
static size_t text_length, ad_length, total;

static void begin(void)
{
    expanded = allocate(crypto_aead_key_size, 0);
    key = allocate(crypto_aead_KEYBYTES, 0);
    nonce = allocate(crypto_aead_NONCEBYTES, 0);
    packet = allocate(MAX_LENGTH + 64 + crypto_aead_TAGBYTES, 0);
    ad_length = crypto_aead_ASSOCIATEDDATA ? sizeof ad - 5 : 0;
    prng_fill(nonce, crypto_aead_NONCEBYTES);
    prng_fill(ad, sizeof ad);
}

/* Encrypts a new text with a new key. */
static void encrypt(void)
{
    int result;
#ifdef crypto_aead_RELEASES
    static int has_key;
    if (has_key) crypto_aead_release(expanded);
    has_key = 1;
#endif
    secret_fill(key, crypto_aead_KEYBYTES);
    secret_text(text, text_length);
    total = crypto_aead_PADDEDBYTES(text_length) + crypto_aead_TAGBYTES;
    result = crypto_aead_expandkey(expanded, key);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(VALID_REJECTED, "rejects a valid key");
    result = crypto_aead_encrypt(packet, text, text_length, ad, ad_length, nonce, expanded);
    secret_clear(&result, sizeof result);
    secret_clear(packet, total);
    if (result) harness_fail(VALID_REJECTED, "rejects a valid packet");
}

static int decrypt(void)
{
    return crypto_aead_decrypt(opened, packet, total, ad, ad_length, nonce, expanded);
}

void operation_secrets(void)
{
    begin();
    for (text_length = 0; text_length <= MAX_LENGTH; text_length += 1 + text_length) {
        prng_fill(nonce, crypto_aead_NONCEBYTES);
        prng_fill(ad, sizeof ad);
        encrypt();
    }
}

void operation_verifications(void)
{
    begin();
    for (unsigned i = 0; verification_length(i, &text_length); i++) {
        encrypt(); /* whose length is the packet's */
        size_t end = total, tag_bytes = crypto_aead_TAGBYTES;
        /* A foreign tag may be shorter: then zeroes follow, which are no secret. */
        for (; !crypto_aead_TEXT && tag_bytes > 1 && !packet[end - 1]; end--) tag_bytes--;
        const struct verification decryption = {
            .prepare = encrypt,
            .call = decrypt,
            .packet = packet,
            .packet_bytes = end,
            .tag = crypto_aead_TEXT ? packet : packet + end - tag_bytes,
            .tag_bytes = tag_bytes,
            .texts = 256,
        };
        verification_follow(&decryption);
    }
}
