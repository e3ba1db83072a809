/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AEGIS-256 with AES-NI: one instruction an AES round, the state in registers. */
#include "../../_aegis/round_aesni.h"
#include "../../_aegis/state_256.h"
#include "../../_aegis/aead.h"
