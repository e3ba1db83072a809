/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define AES_ROUNDS 14
#define AES_LANES 1
#include "../../_gcm/portable_types.h"
