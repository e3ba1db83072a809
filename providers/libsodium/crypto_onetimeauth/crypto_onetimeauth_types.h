/* SPDX-License-Identifier: MIT OR Apache-2.0 */
typedef struct {
    uint8_t r[16]; /* libsodium takes it with each pad */
} crypto_onetimeauth_key;
