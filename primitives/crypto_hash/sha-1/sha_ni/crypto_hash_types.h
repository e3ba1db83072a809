/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../ref/crypto_hash_types.h"
