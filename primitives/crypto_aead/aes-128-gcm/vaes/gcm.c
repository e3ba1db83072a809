/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-128-GCM: VAES and VPCLMULQDQ, sixteen blocks of each side by side. */
#include "../../_gcm/vaes.h"
