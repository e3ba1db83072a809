/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets of a foreign AEAD. foreign_aead_encrypt and _decrypt are macros for the implementation's
 * symbols. */
#include "crypto_aead.h"
#include "harness.h"

#include <string.h>

int foreign_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m, unsigned long long mlen,
                         const unsigned char *ad, unsigned long long adlen, const unsigned char *nsec,
                         const unsigned char *npub, const unsigned char *k);
int foreign_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec, const unsigned char *c,
                         unsigned long long clen, const unsigned char *ad, unsigned long long adlen,
                         const unsigned char *npub, const unsigned char *k);

/* How many of the ABYTES a packet of that plaintext length does not use. An implementation may use
 * fewer, and decrypt needs the exact length of the packet; ours is padded with zeroes to the full
 * length. */
#define MAX_LENGTH 131072
static unsigned short unused[MAX_LENGTH];

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, crypto_aead_KEYBYTES);
    return 0;
}

/* Says what a function did with the length of its output; ~0 was there before the call. */
static int wrong_length(const char *name, unsigned long long length, unsigned long long wanted)
{
    if (length == ~0ull)
        answer_because("returns 0, but does not set %s, here to %llu", name, wanted);
    else
        answer_because("returns 0, but sets %s to %llu instead of %llu", name, length, wanted);
    return -1;
}

/* The secret message number is zero, since our packets have none. */
int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    static const unsigned char nsec[crypto_aead_NSECBYTES + 1];
    unsigned long long packet_length = ~0ull;
    const int result =
        foreign_aead_encrypt(packet, &packet_length, plaintext, length, ad, ad_length, nsec, nonce, expanded->key);
    if (result) {
        answer_because("returns %d; 0 means success", result);
        return -1;
    }
    const unsigned long long missing = length + crypto_aead_ABYTES - packet_length;
    if (missing > crypto_aead_ABYTES) return wrong_length("*clen", packet_length, length + crypto_aead_ABYTES);
    if (length < MAX_LENGTH)
        unused[length] = (unsigned short)missing;
    else if (missing)
        return -1;
    memset(packet + packet_length, 0, missing);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    unsigned char nsec[crypto_aead_NSECBYTES + 1];
    unsigned long long length = ~0ull;
    const uint64_t wanted = packet_length >= crypto_aead_ABYTES ? packet_length - crypto_aead_ABYTES : MAX_LENGTH;
    const uint64_t missing = wanted < MAX_LENGTH ? unused[wanted] : 0;
    for (uint64_t i = packet_length - missing; i < packet_length; i++)
        if (packet[i]) return -1;
    if (foreign_aead_decrypt(plaintext, &length, nsec, packet, packet_length - missing, ad, ad_length, nonce,
                             expanded->key))
        return -1;
    if (length == wanted || packet_length < crypto_aead_ABYTES) return 0;
    return wrong_length("*mlen", length, wanted);
}
