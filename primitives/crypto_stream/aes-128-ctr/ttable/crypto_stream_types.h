/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define AES_ROUNDS 10
#include "../../_aes/ctr_ttable_types.h"
