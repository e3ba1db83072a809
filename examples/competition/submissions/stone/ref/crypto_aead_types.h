/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define AES_ROUNDS 10
#include "../../_gcm/ref_types.h"
