/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* FIPS 202, section 6.1: capacity 768 bits, suffix 01. */
#include "../../_keccak/sha3.h"
