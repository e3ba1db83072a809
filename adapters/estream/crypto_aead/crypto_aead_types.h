/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

#define crypto_aead_EVERY_KEY_BIT 1

/* crypto_aead over an authenticating cipher of eSTREAM's API: the expanded key is its context,
 * of which every packet has a copy. STATEBYTES comes from its header. */
typedef struct {
    _Alignas(16) unsigned char context[crypto_aead_STATEBYTES];
} crypto_aead_key;

#endif
