/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* No layer: a message is its packet. */
#include "protocol.h"

LAYER(plain) = {.name = "plain"};
