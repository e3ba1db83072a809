/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../unrolled/crypto_stream_types.h"
