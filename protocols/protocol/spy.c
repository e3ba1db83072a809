/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "spy.h"

#include <stdlib.h>
#include <string.h>

#include "counter.h"
#include "counter_mean.h"
#include "session.h"

#define MAX_NOTED 32

static struct {
    enum spying spying;
    int notes;
    int64_t delay;
    struct noted_call noted[MAX_NOTED];
    unsigned count;
} spy;

static void note(const char *function, uint64_t n, uint64_t ad_n)
{
    unsigned i = 0;
    while (i < spy.count &&
           (strcmp(spy.noted[i].function, function) || spy.noted[i].n != n || spy.noted[i].ad_n != ad_n))
        i++;
    if (i == MAX_NOTED) return;
    if (i == spy.count) spy.noted[spy.count++] = (struct noted_call){.function = function, .n = n, .ad_n = ad_n};
    spy.noted[i].count++;
}

/* Where the first of two calls writes. */
static uint8_t *aside(uint64_t n)
{
    static uint8_t *room;
    static uint64_t bytes;
    if (n + MAX_OVERHEAD > bytes) {
        free(room);
        bytes = n + MAX_OVERHEAD;
        room = malloc(bytes);
    }
    return room;
}

static volatile const size_t never; /* 0, which the compiler does not know */

/* Evaluates `call` with `to` for its output, and does what the spy is for. The result is an int. Of two calls, the
 * second waits until the first has written its first and its last byte (`wait` is 0, and part of the addresses of its
 * input and nonce): else the processor would run both beside each other. */
#define SPIED(function, n, ad_n, out, last, call)            \
    do {                                                     \
        uint8_t *to = out;                                   \
        size_t wait = 0;                                     \
        if (spy.notes) note(function, n, ad_n);              \
        if (spy.spying == SPY_ONCE) return call;             \
        if (spy.spying == SPY_TWICE) {                       \
            to = aside(n);                                   \
            (void)call;                                      \
            wait = (to[0] | to[last]) & never;               \
            to = out;                                        \
            return call;                                     \
        }                                                    \
        const int64_t start_ = counter_mean();               \
        const int result_ = call;                            \
        const int64_t stop_ = counter_mean();                \
        account->inside += stop_ - start_;                   \
        while (counter_read() - stop_ < spy.delay) continue; \
        return result_;                                      \
    } while (0)

static int mac_authenticate(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *nonce, const uint8_t *key)
{
    SPIED("mac.authenticate", n, 0, out, part_mac.bytes - 1,
          part_mac.authenticate(to, in + wait, n, nonce + wait, key));
}

static int cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *iv, const void *state)
{
    SPIED("cipher.encrypt", n, 0, out, n - 1, part_cipher.encrypt(to, in + wait, n, iv + wait, state));
}

static int cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *iv, const void *state)
{
    SPIED("cipher.decrypt", n, 0, out, n - 1, part_cipher.decrypt(to, in + wait, n, iv + wait, state));
}

static int aead_encrypt(uint8_t *packet, const uint8_t *in, uint64_t n, const uint8_t *ad, uint64_t ad_n,
                        const uint8_t *nonce, const void *state)
{
    SPIED("aead.encrypt", n, ad_n, packet, n - 1, part_aead.encrypt(to, in + wait, n, ad, ad_n, nonce + wait, state));
}

static int aead_decrypt(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *ad, uint64_t ad_n,
                        const uint8_t *nonce, const void *state)
{
    SPIED("aead.decrypt", n - part_aead.tag_bytes, ad_n, out, 0,
          part_aead.decrypt(to, in + wait, n, ad, ad_n, nonce + wait, state));
}

static int encrypt_block(uint8_t *out, const uint8_t *in, const void *state)
{
    part_block.encrypt(out, in, state);
    return 0;
}

static int block_encrypt_told(uint8_t *out, const uint8_t *in, const void *state)
{
    SPIED("block.encrypt", 1, 0, out, part_block.block_bytes - 1, encrypt_block(to, in + wait, state));
}

static void block_encrypt(uint8_t *out, const uint8_t *in, const void *state)
{
    (void)block_encrypt_told(out, in, state);
}

static struct mac spied_mac;
static struct cipher spied_cipher;
static struct aead spied_aead;
static struct block spied_block;

static void use_spies(void)
{
    if (parts.mac) {
        spied_mac = part_mac;
        spied_mac.authenticate = mac_authenticate;
        parts.mac = &spied_mac;
    }
    if (parts.cipher) {
        spied_cipher = part_cipher;
        spied_cipher.encrypt = cipher_encrypt;
        spied_cipher.decrypt = cipher_decrypt;
        parts.cipher = &spied_cipher;
    }
    if (parts.aead) {
        spied_aead = part_aead;
        spied_aead.encrypt = aead_encrypt;
        spied_aead.decrypt = aead_decrypt;
        parts.aead = &spied_aead;
    }
    if (parts.block) {
        spied_block = part_block;
        spied_block.encrypt = block_encrypt;
        parts.block = &spied_block;
    }
}

void spy_set(enum spying spying, int64_t delay)
{
    spy.spying = spying;
    spy.delay = delay;
    spy.notes = 0;
    parts = (struct parts){.mac = &part_mac, .cipher = &part_cipher, .aead = &part_aead, .block = &part_block};
    if (spying || delay) use_spies();
}

void spy_note(void)
{
    spy_set(SPY_NONE, 0);
    use_spies();
    spy.count = 0;
    spy.notes = 1;
}

void spy_stop(void)
{
    spy_set(SPY_NONE, 0);
}

const struct noted_call *spy_noted(unsigned *count)
{
    *count = spy.count;
    return spy.noted;
}
