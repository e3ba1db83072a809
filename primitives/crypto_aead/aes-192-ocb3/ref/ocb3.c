/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-192-OCB3 to be read beside RFC 7253. */
#include "../../_ocb3/ref.h"
