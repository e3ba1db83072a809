/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define AES_ROUNDS 10
#define AES_LANES 4
#include "../../_gcm/portable_types.h"
