/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_ENCRYPT_TYPES_H
#define CRYPTO_ENCRYPT_TYPES_H

/* The API does not say whether changed ciphertexts are rejected. */
#define crypto_encrypt_CHOSENCIPHERTEXT 0

#endif
