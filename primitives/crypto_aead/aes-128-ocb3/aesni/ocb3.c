/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128-OCB3 with AES-NI, eight blocks side by side. */
#include "../../../crypto_blockcipher/_aes/aesni.h"

#define OCB3_BLOCKS "blocks_aesni.h"
#include "../../_ocb3/wide.h"
