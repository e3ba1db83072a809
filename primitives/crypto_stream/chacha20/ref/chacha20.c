/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ChaCha20 block by block, as RFC 8439 tells it. */
#include "crypto_stream.h"
#include "../../_chacha20/ref.h"
#include "../../_salsa_chacha/stream.h"
