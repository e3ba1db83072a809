/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ML-KEM in portable C. */
#include "parameters.h"

#include "ntt.h"
#include "one.h"

static inline void to_standard_order(poly *p)
{
    (void)p; /* it is the order already */
}

static inline void from_standard_order(poly *p)
{
    (void)p;
}

#include "scheme.h"
