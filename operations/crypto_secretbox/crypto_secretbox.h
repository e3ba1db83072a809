/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_SECRETBOX_H
#define CRYPTO_SECRETBOX_H

/* crypto_secretbox: authenticated encryption with a nonce, with NaCl's and SUPERCOP's zero-padded
 * interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the two functions below and
 * nothing else global. Pointers may have any alignment; buffers do not overlap unless stated
 * otherwise; lengths are in bytes; inputs are not modified. Functions return 0 on success. No
 * mutable globals; no heap in our own implementations.
 *
 * The first crypto_secretbox_ZEROBYTES bytes of a message must be zero; the first
 * crypto_secretbox_BOXZEROBYTES bytes of a box are zero. Lengths include the zero bytes: a box is
 * as long as its padded message. crypto_secretbox_KEYBYTES, crypto_secretbox_NONCEBYTES,
 * crypto_secretbox_ZEROBYTES and crypto_secretbox_BOXZEROBYTES come from primitive.toml. */

#if __has_include("crypto_secretbox_types.h")
#include "crypto_secretbox_types.h"
#endif

/* c[0 .. mlen - 1] = the box of m[0 .. mlen - 1], mlen >= ZEROBYTES. */
int crypto_secretbox(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                     const unsigned char *k);

/* m[0 .. clen - 1] = the padded message in c[0 .. clen - 1]. Returns 0, or -1 for a forgery
 * (including a box shorter than ZEROBYTES); every byte of m is then unchanged or zero. */
int crypto_secretbox_open(unsigned char *m, const unsigned char *c, unsigned long long clen, const unsigned char *n,
                          const unsigned char *k);

#endif
