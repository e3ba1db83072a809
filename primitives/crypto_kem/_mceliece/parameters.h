/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_PARAMETERS_H
#define MCELIECE_PARAMETERS_H

/* Classic McEliece, as in the submission of round 4 and ISO's draft: parameter
 * sets without "f" and without "pc".  The includer defines
 *
 *   MCELIECE_M   m, degree of the field F = GF(2^m): 12 or 13
 *   MCELIECE_N   n, length of the code
 *   MCELIECE_T   t, errors that it corrects, degree of the Goppa polynomial g
 *
 * Positions 0 to n - 1 of the code belong to distinct elements a_0, a_1, ... of F.
 * All bit strings stand in bytes with the first bit lowest. */

#include <stdint.h>
#include <string.h>

#include "crypto_kem.h"
#include "randombytes.h"

#include "../../_shared/bytes.h"
#include "../../_shared/crypto_declassify.h"

#define M MCELIECE_M
#define N MCELIECE_N
#define T MCELIECE_T
#define Q (1u << M)
#define ROWS (M * T)   /* of the parity check matrix */
#define K (N - ROWS)   /* columns of the public key */

#define SEED_BYTES 32
#define ERROR_BYTES (N / 8)
#define ROW_BYTES ((K + 7) / 8) /* of the public key; its last bits, if any, are 0 */
#define LAYERS (2 * M - 1)      /* of a Benes network for Q elements */
#define LAYER_BYTES (Q / 16)

/* The secret key. */
#define AT_SEED 0
#define AT_PIVOTS (AT_SEED + SEED_BYTES) /* of the "f" sets; a constant here */
#define AT_GOPPA (AT_PIVOTS + 8)
#define AT_NETWORK (AT_GOPPA + 2 * T)
#define AT_REJECTED (AT_NETWORK + LAYERS * LAYER_BYTES) /* the errors of a ciphertext without */

_Static_assert(crypto_kem_PUBLICKEYBYTES == ROWS * ROW_BYTES, "a row after the other");
_Static_assert(crypto_kem_SECRETKEYBYTES == AT_REJECTED + ERROR_BYTES, "no gaps");
_Static_assert(crypto_kem_CIPHERTEXTBYTES == (ROWS + 7) / 8 && crypto_kem_BYTES == 32, "primitive.toml");

/* The field's modulus: z^12 + z^3 + 1, z^13 + z^4 + z^3 + z + 1. */
#if M == 12
#define MODULUS 0x1009
#else
#define MODULUS 0x201b
#endif

/* F(y), irreducible, modulo which elements of GF(q^t) are polynomials in y: y^t
 * and these terms. */
struct term {
    unsigned exponent;
    uint16_t coefficient;
};
static const struct term extension[] = {
#if T == 64
    {3, 1}, {1, 1}, {0, 2},
#elif T == 96
    {10, 1}, {9, 1}, {6, 1}, {0, 1},
#elif T == 119
    {8, 1}, {0, 1},
#else
    {7, 1}, {2, 1}, {1, 1}, {0, 1},
#endif
};
#define TERMS (sizeof extension / sizeof extension[0])

#endif
