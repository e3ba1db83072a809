/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Same functions as ref.h; the wide ones are on their way. */
#include "ref.h"
