/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_sha-2/types256.h"
