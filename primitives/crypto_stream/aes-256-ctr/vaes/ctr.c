/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256 in counter mode: VAES on 512-bit registers, 32 blocks in flight. */
#include "../../_aes/ctr_vaes.h"
