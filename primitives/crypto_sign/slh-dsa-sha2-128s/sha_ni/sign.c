/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define SMALL_HASH_NI
#define SLH_LAYERS 7
#define SLH_HEIGHT 9
#define SLH_FORS_TREES 14
#define SLH_FORS_HEIGHT 12
#include "../../_slh-dsa/sha2.h"
#include "../../_slh-dsa/api.h"
