/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* NTRUEncrypt EES251EP6: the definition in portable C. */
#include "crypto_encrypt.h"
#define SALSA20_ROUNDS 20
#include "../../../crypto_stream/_salsa20/ref.h"
#include "../../_ntru/ees251ep6.h"
#include "../../_ntru/ring_ref.h"
#include "../../_ntru/scheme.h"
