/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128-GCM: SP 800-38D, bit by bit. */
#include "../../_gcm/ref.h"
