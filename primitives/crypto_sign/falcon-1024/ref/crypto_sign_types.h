/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_SIGN_TYPES_H
#define CRYPTO_SIGN_TYPES_H

#define FALCON_LOGN 10
#include "../../_falcon/types.h"

#endif
