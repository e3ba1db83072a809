/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ML-KEM with vectors of 16 coefficients and four sponges at once. */
#include "parameters.h"

#include "vector.h"

#include "four.h"
#include "scheme.h"
