/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define CIPHER_BUFFER 17
#include "../../_salsa_chacha/types.h"
