/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_chacha20-poly1305/types.h"
