/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the text. Public: the IV, the ciphertext, the length. */
#include "crypto_cipher.h"
#include "secret.h"

#define LENGTH (20 * crypto_cipher_BLOCKBYTES)

void operation_secrets(void)
{
    crypto_cipher_key *expanded = allocate(crypto_cipher_key_size, 0);
    uint8_t *key = allocate(crypto_cipher_KEYBYTES, 0), *iv = allocate(crypto_cipher_IVBYTES, 0);
    uint8_t *text = allocate(LENGTH, 0);
    secret_fill(key, crypto_cipher_KEYBYTES);
    secret_fill(text, LENGTH);
    prng_fill(iv, crypto_cipher_IVBYTES);
    if (crypto_cipher_expandkey(expanded, key)) harness_fail(VALID_REJECTED, "rejects a valid key");
    if (crypto_cipher_encrypt(text, text, LENGTH, iv, expanded)) harness_fail(VALID_REJECTED, "rejects a valid text");
    secret_clear(text, LENGTH);
    if (crypto_cipher_decrypt(text, text, LENGTH, iv, expanded))
        harness_fail(VALID_REJECTED, "rejects a valid ciphertext");
}
