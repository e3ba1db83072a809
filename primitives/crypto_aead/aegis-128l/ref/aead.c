/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AEGIS-128L to be read beside the draft: AES rounds by table look-ups. */
#include "../../_aegis/round_ref.h"
#include "../../_aegis/state_128l.h"
#include "../../_aegis/aead.h"
