/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128-CCM to be read beside its specification. */
#include "crypto_aead.h"

#include "../../_modes/aes_ref.h"
#include "../../_modes/ccm.h"
