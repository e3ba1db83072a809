/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../../primitives/crypto_sign/_library/types.h"
#define crypto_sign_OWN_RANDOM 1 /* its generator cannot be replaced */
