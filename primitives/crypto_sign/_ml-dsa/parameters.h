/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_PARAMETERS_H
#define ML_DSA_PARAMETERS_H

/* FIPS 204, section 4, table 1.  The set follows from the length of the public key. */

#include "crypto_sign.h"

#define DSA_K ((crypto_sign_PUBLICKEYBYTES - 32) / 320) /* rows of the matrix */

#if crypto_sign_PUBLICKEYBYTES == 1312
#define DSA_L 4 /* columns */
#define DSA_ETA 2
#define DSA_TAU 39
#define DSA_GAMMA1_BITS 17
#define DSA_GAMMA2 ((Q - 1) / 88)
#define DSA_OMEGA 80
#define DSA_CHALLENGE 32 /* lambda/4 bytes */
#elif crypto_sign_PUBLICKEYBYTES == 1952
#define DSA_L 5
#define DSA_ETA 4
#define DSA_TAU 49
#define DSA_GAMMA1_BITS 19
#define DSA_GAMMA2 ((Q - 1) / 32)
#define DSA_OMEGA 55
#define DSA_CHALLENGE 48
#else
#define DSA_L 7
#define DSA_ETA 2
#define DSA_TAU 60
#define DSA_GAMMA1_BITS 19
#define DSA_GAMMA2 ((Q - 1) / 32)
#define DSA_OMEGA 75
#define DSA_CHALLENGE 64
#endif

#define DSA_D 13
#define DSA_BETA (DSA_TAU * DSA_ETA)
#define DSA_GAMMA1 (1 << DSA_GAMMA1_BITS)

/* Bits of a packed coefficient. */
#define BITS_T1 10
#define BITS_T0 DSA_D
#define BITS_S (DSA_ETA == 2 ? 3 : 4)
#define BITS_Z (DSA_GAMMA1_BITS + 1)
#define BITS_W1 (DSA_GAMMA2 == (Q - 1) / 88 ? 6 : 4)

#endif
