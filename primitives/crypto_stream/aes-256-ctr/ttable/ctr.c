/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256 in counter mode: 32-bit tables and counter-mode caching. */
#include "../../_aes/ctr_ttable.h"
