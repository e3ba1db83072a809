/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define SALSA20_BUFFER 1
#include "../../_salsa20/types.h"
