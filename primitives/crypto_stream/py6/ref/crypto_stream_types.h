/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define PY6
#include "../../_py/ref_types.h"
