/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define SALSA20_BUFFER 5
#include "../../_salsa20/types.h"
