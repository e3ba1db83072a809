/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128 in counter mode: FIPS 197 with its S-box, one block at a time. */
#include "../../_aes/ctr_ref.h"
