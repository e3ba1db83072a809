/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ChaCha20 block by block: the sixteen words in local variables, which
 * compilers keep in registers as far as there are any, and from there straight
 * into the message. */
#include "crypto_stream.h"
#include "../../_chacha20/portable.h"
#include "../../_chacha20/stream.h"
