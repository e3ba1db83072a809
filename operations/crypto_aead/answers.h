/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Answers to requests: check.c includes this after what it keeps of a packet. */

/* Answers with a packet: tag first, or, in the order of RFC 5116, last. */
static int answer_encrypt(void (*order)(uint8_t *packet, size_t bytes))
{
    size_t length, ad_length;
    const uint8_t *k = request_exactly(crypto_aead_KEYBYTES, "key");
    const uint8_t *n = request_exactly(crypto_aead_NONCEBYTES, "nonce");
    const uint8_t *a = request_bytes(&ad_length), *in = request_bytes(&length);
    uint8_t *out = allocate(PACKET(length), 0);
    if (crypto_aead_expandkey(expanded, k) || crypto_aead_encrypt(out, in, length, a, ad_length, n, expanded)) {
        answer_word("refused");
        return 0;
    }
    order(out, PACKET(length));
    answer_bytes(out, PACKET(length));
    return 0;
}

/* Answers with the plaintext of a packet, which `order` brings into the implementation's order. */
static int answer_decrypt(void (*order)(uint8_t *packet, size_t bytes))
{
    size_t length, ad_length;
    const uint8_t *k = request_exactly(crypto_aead_KEYBYTES, "key");
    const uint8_t *n = request_exactly(crypto_aead_NONCEBYTES, "nonce");
    const uint8_t *a = request_bytes(&ad_length), *given = request_bytes(&length);
    uint8_t *in = allocate(length, 0), *out = allocate(length, 0);
    memcpy(in, given, length);
    order(in, length);
    if (crypto_aead_expandkey(expanded, k) || crypto_aead_decrypt(out, in, length, a, ad_length, n, expanded))
        answer_word("rejected");
    else
        answer_bytes(out, length - TAG - (crypto_aead_PADS && length > TAG ? out[length - TAG - 1] : 0));
    return 0;
}
