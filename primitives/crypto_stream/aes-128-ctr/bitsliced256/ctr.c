/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128 in counter mode: bitsliced in 256-bit vectors of GNU C, constant time. */
#include "../../_aes/ctr_bitsliced.h"
