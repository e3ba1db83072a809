/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128-GCM: bitsliced AES in 64-bit words, GHASH by integer multiplication. */
#include "../../_gcm/portable.h"
