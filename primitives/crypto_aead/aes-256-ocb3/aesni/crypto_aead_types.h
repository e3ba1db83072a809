/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define OCB3_KEY_WORDS 8
#include "../../_ocb3/wide_types.h"
