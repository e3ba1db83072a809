/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define MCELIECE_M 12
#define MCELIECE_N 3488
#define MCELIECE_T 64
#include "../../_mceliece/kem.h"
