/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256 in counter mode: AES-NI, eight blocks in flight. */
#include "../../_aes/ctr_aesni.h"
