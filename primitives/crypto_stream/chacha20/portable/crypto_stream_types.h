/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define CHACHA20_BUFFER 1
#include "../../_chacha20/types.h"
