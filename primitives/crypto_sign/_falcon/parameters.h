/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_PARAMETERS_H
#define FALCON_PARAMETERS_H

/* Falcon, round 3 of NIST's call: "Falcon: Fast-Fourier Lattice-based Compact
 * Signatures over NTRU", specification v1.2 (2020), of which sections, tables and
 * algorithms are cited.  Polynomials modulo X^N + 1, q = 12289.
 *
 * Public key: byte 0x00 + LOGN, then the N coefficients of h = g/f mod q, 14 bits
 * each (section 3.11.4).
 * Secret key: byte 0x50 + LOGN, then f, g (6 bits a coefficient for N = 512, 5 for
 * 1024) and F (8 bits) in two's complement; the least value of each width stands
 * for nothing.  G follows from them (section 3.11.5).
 * Signed message, that of the submission's NIST interface:
 *
 *   2     bytes of the signature part, big-endian
 *   40    nonce r
 *   mlen  message
 *   rest  signature part: byte 0x20 + LOGN and s2, compressed (algorithm 17)
 *
 * with a signature part of at most crypto_sign_BYTES - 42 bytes.  Fields are
 * written most significant bit first; the bits that fill up the last byte are 0.
 *
 * Random bytes: a key pair draws 48, a signature the nonce's 40 and then 48.  Each
 * 48 are a seed, and what the algorithms draw comes out of SHAKE256(seed).  The
 * specification leaves the generator open: equal seeds give other keys and
 * signatures in other implementations. */

#include "crypto_sign.h"

#define Q 12289
#define N FALCON_N
#define LOGN FALCON_LOGN
#define NONCE 40
#define SEED 48
#define LONGEST_PART (crypto_sign_BYTES - 2 - NONCE)

/* Table 3.3: the bound of |(s1, s2)|^2, and the standard deviations. */
#if FALCON_LOGN == 9
#define BOUND 34034726
#define SIGMA 165.7366171829776
#define SIGMA_MIN 1.2778336969128337
#define SMALL_BITS 6 /* of a coefficient of f and g */
#else
#define BOUND 70265242
#define SIGMA 168.38857144654395
#define SIGMA_MIN 1.298280334344292
#define SMALL_BITS 5
#endif
#define SIGMA_MAX 1.8205

#endif
