/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define MCELIECE_M 13
#define MCELIECE_N 4608
#define MCELIECE_T 96
#include "../../_mceliece/kem.h"
