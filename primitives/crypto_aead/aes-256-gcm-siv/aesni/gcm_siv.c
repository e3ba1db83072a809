/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256-GCM-SIV with AES-NI and PCLMULQDQ, eight blocks of each side by side. */
#include "crypto_aead.h"

#include "../../_gcm-siv/polyval_clmul.h"
#include "../../_gcm-siv/aead.h"
