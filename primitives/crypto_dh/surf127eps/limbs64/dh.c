/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_surf127eps/field64.h"
#include "../../_surf127eps/ladder.h"
#include "../../_surf127eps/dh.h"
