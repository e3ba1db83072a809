/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* McEliece (2048, 1696), 32 errors, as its papers tell it, in portable C. */
#include "crypto_encrypt.h"
#define SALSA20_ROUNDS 20
#include "../../../crypto_stream/_salsa20/ref.h"
#include "../../_mceliece/ref.h"
#include "../../_mceliece/scheme.h"
