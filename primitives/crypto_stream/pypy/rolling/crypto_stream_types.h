/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define PYPY
#include "../../_py/rolling_types.h"
