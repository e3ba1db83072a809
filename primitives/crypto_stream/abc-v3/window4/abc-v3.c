/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "crypto_stream.h"
#include "../../_abc/window.h"
