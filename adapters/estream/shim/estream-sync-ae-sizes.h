/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sizes that the adapter needs to know of an authenticating cipher. */
#include "ecrypt-sync-ae.h"

#define ESTREAM_STATEBYTES sizeof(ECRYPT_AE_ctx)
