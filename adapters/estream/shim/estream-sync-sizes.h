/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sizes that the adapter needs to know of a cipher. */
#include "ecrypt-sync.h"

#define ESTREAM_STATEBYTES sizeof(ECRYPT_ctx)
#define ESTREAM_BLOCKBYTES ECRYPT_BLOCKLENGTH
