/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256 in counter mode: bitsliced in 64-bit words, constant time, portable. */
#include "../../_aes/ctr_bitsliced.h"
