/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ChaCha20 on vectors. */
#include "crypto_stream.h"
#include "../../_chacha20/ssse3.h"
#include "../../_chacha20/stream.h"
