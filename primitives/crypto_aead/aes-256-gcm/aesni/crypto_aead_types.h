/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define AES_ROUNDS 14
#define GCM_POWERS 8
#include "../../_gcm/aesni_types.h"
