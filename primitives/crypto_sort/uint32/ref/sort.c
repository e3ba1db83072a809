/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define ITEM uint32_t
#include "../../_merge-exchange/sort.h"
