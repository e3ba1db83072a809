/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define ABC_WINDOW 3
#define ABC_ALIGN 32
#include "../../_abc/types.h"
