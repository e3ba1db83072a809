/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ML-DSA in portable C. */
#include "parameters.h"

#include "ntt.h"
#include "one.h"
#include "scheme.h"
