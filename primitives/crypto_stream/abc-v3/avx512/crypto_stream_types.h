/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define ABC_WINDOW 4
#define ABC_ALIGN 64
#include "../../_abc/types.h"
