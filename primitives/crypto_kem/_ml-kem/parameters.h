/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_PARAMETERS_H
#define ML_KEM_PARAMETERS_H

/* FIPS 203, section 8, table 2.  eta2 = 2 throughout. */

#include "crypto_kem.h"

#define ML_KEM_K ((crypto_kem_PUBLICKEYBYTES - 32) / 384)
#define ML_KEM_ETA1 (ML_KEM_K == 2 ? 3 : 2)
#define ML_KEM_DU (ML_KEM_K == 4 ? 11 : 10)
#define ML_KEM_DV (ML_KEM_K == 4 ? 5 : 4)

#endif
