/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256-GCM-SIV to be read beside RFC 8452. */
#include "crypto_aead.h"

#include "../../_gcm-siv/polyval_ref.h"
#include "../../_gcm-siv/aead.h"
