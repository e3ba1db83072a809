/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_ml-kem/avx2.h"
