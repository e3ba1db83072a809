/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128-OCB3 with VAES, sixteen blocks side by side. */
#include "../../../crypto_blockcipher/_aes/vaes.h"

#define OCB3_BLOCKS "blocks_vaes.h"
#include "../../_ocb3/wide.h"
