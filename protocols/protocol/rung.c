/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The rung of this executable; RUNG_LAYER is the name of its layer's variable. */
#include "protocol.h"

extern const struct layer RUNG_LAYER;
const struct layer *const rung_layer = &RUNG_LAYER;
