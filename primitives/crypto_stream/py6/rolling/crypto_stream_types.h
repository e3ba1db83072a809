/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define PY6
#include "../../_py/rolling_types.h"
