/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define MCELIECE_M 13
#define MCELIECE_N 8192
#define MCELIECE_T 128
#include "../../_mceliece/kem.h"
