/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ML-DSA with vectors of 8 coefficients and four sponges at once. */
#include "parameters.h"

#include "vector.h"

#include "four.h"
#include "scheme.h"
