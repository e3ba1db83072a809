/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../_chained/types.h"
