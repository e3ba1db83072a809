/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* XChaCha20-Poly1305 on ChaCha20-Poly1305's implementation of the same name. */
#define CHACHA20_POLY1305_EXTENDED 1
#include "../../chacha20-poly1305/avx512/aead.c"
