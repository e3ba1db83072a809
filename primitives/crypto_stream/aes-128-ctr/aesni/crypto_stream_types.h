/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define AES_ROUNDS 10
#define AES_AHEAD 3
#include "../../_aes/ctr_wide_types.h"
