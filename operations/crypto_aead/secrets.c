/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the plaintext. Public: nonce, associated data, the encrypted packet, the
 * lengths, and whether a packet is accepted. */
#include "crypto_aead.h"
#include "secret.h"

#define MAX_LENGTH 600

void operation_secrets(void)
{
    crypto_aead_key *expanded = allocate(crypto_aead_key_size, 0);
    uint8_t *key = allocate(crypto_aead_KEYBYTES, 0), *nonce = allocate(crypto_aead_NONCEBYTES, 0);
    uint8_t *packet = allocate(MAX_LENGTH + 64 + crypto_aead_TAGBYTES, 0);
    static uint8_t text[MAX_LENGTH + 64 + crypto_aead_ROOM], ad[32];
    const size_t ad_length = crypto_aead_ASSOCIATEDDATA ? sizeof ad - 5 : 0;
    for (size_t length = 0; length <= MAX_LENGTH; length += 1 + length) {
        const size_t total = crypto_aead_PADDEDBYTES(length) + crypto_aead_TAGBYTES;
        int result;
        secret_fill(key, crypto_aead_KEYBYTES);
        secret_fill(text, length);
        prng_fill(nonce, crypto_aead_NONCEBYTES);
        prng_fill(ad, sizeof ad);
        result = crypto_aead_expandkey(expanded, key);
        secret_clear(&result, sizeof result);
        if (result) harness_fail(VALID_REJECTED, "rejects a valid key");
        result = crypto_aead_encrypt(packet, text, length, ad, ad_length, nonce, expanded);
        secret_clear(&result, sizeof result);
        secret_clear(packet, total);
        if (result) harness_fail(VALID_REJECTED, "rejects a valid packet");
#if crypto_aead_ROOM == 0 && !defined(CYCLOMETER_LIBRARY) /* a library cannot mark its verdict as public */
        result = crypto_aead_decrypt(text, packet, total, ad, ad_length, nonce, expanded);
        secret_clear(&result, sizeof result);
        packet[0] ^= 1;
        result |= !crypto_aead_decrypt(text, packet, total, ad, ad_length, nonce, expanded);
        secret_clear(&result, sizeof result);
#endif
        if (result) harness_fail(WRONG_OUTPUT, "returns a wrong verdict");
    }
}
