/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256-EAX to be read beside its specification. */
#include "crypto_aead.h"

#include "../../_modes/aes_ref.h"
#include "../../_modes/eax.h"
