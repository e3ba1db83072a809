/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_falcon/exact.h"

#include "../../_falcon/keypair.h"
