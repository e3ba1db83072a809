/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A context on the heap, and r, which OpenSSL takes with each pad. */
typedef struct {
    void *context;
    uint8_t r[16];
} crypto_onetimeauth_key;
