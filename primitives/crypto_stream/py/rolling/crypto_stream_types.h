/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define PY
#include "../../_py/rolling_types.h"
