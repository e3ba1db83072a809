/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define SMALL_HASH_NI
#define SLH_LAYERS 22
#define SLH_HEIGHT 3
#define SLH_FORS_TREES 33
#define SLH_FORS_HEIGHT 6
#include "../../_slh-dsa/sha2.h"
#include "../../_slh-dsa/api.h"
