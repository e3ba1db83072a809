/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../../primitives/crypto_sign/_library/types.h"
