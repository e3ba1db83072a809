/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256-CCM with AES-NI; counters eight at a time. */
#include "crypto_aead.h"

#include "../../_modes/aes_aesni.h"
#include "../../_modes/ccm.h"
