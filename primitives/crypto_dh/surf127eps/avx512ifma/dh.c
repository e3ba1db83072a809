/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_surf127eps/field64.h"
#include "../../_surf127eps/ladder_ifma.h"
#include "../../_surf127eps/dh.h"
