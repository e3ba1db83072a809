/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256-GCM: SP 800-38D, bit by bit. */
#include "../../_gcm/ref.h"
