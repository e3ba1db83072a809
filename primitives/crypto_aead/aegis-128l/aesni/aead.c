/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AEGIS-128L with AES-NI: one instruction an AES round, the state in registers. */
#include "../../_aegis/round_aesni.h"
#include "../../_aegis/state_128l.h"
#include "../../_aegis/aead.h"
