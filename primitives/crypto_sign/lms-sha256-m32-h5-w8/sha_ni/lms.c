/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define SMALL_HASH_NI 1
#include "../../_lms/lms.h"

#include "../../_lms/advance_shani.h"
#include "../../_lms/api.h"
