/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128-EAX with AES-NI; counters eight at a time. */
#include "crypto_aead.h"

#include "../../_modes/aes_aesni.h"
#include "../../_modes/eax.h"
