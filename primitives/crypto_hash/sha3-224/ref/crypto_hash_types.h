/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "keccak.h"

#define crypto_hash_INCREMENTAL 1
typedef keccak_sponge crypto_hash_state;
