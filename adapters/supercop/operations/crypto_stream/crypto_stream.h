/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_H
#define CRYPTO_STREAM_H

/* crypto_stream with SUPERCOP's interface (https://bench.cr.yp.to/call-stream.html): every call
 * begins with the key. crypto_stream_KEYBYTES and crypto_stream_NONCEBYTES come from api.h. */

/* c[0 .. clen - 1] = the keystream. Returns 0. */
int crypto_stream(unsigned char *c, unsigned long long clen, const unsigned char *n, const unsigned char *k);

/* c = m xor the keystream; c may equal m. Returns 0. */
int crypto_stream_xor(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                      const unsigned char *k);

#endif
