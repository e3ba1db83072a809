/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-256-GCM: AES-NI and PCLMULQDQ, eight blocks of each side by side. */
#include "../../_gcm/aesni.h"
