/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICKEY-128 2.0: the constants of the two registers, from the specification
 * (Babbage, Dodd, eSTREAM 2006, section 4).  Bit i of a table, i = 0..159, is
 * bit i % 32 of word i / 32.  R_MASK: where the feedback enters R.  COMP0, COMP1:
 * the complements inside the nonlinear update of S.  FB0, FB1: where the
 * feedback enters S, for control bit 0 and 1.  Each is a list of words, so that
 * an implementation with a byte for each bit can have them as bytes. */

#ifndef MICKEY_TABLES_H
#define MICKEY_TABLES_H

#include <stdint.h>

#define MICKEY_WORD(w) w

#define MICKEY_R_MASK_WORDS(F) \
    F(0x42114d31), F(0xf3ec4c59), F(0x9c679626), F(0x803bbe32), F(0x375253af)
static const uint32_t MICKEY_R_MASK[5] = {MICKEY_R_MASK_WORDS(MICKEY_WORD)};

#define MICKEY_COMP0_WORDS(F) \
    F(0x5dd6f25e), F(0x79260955), F(0x79007062), F(0x37afd931), F(0x0fbe06be)
static const uint32_t MICKEY_COMP0[5] = {MICKEY_COMP0_WORDS(MICKEY_WORD)};

#define MICKEY_COMP1_WORDS(F) \
    F(0x7d191f30), F(0xfeb63c98), F(0x7c00c3e0), F(0x6660e345), F(0x7ff45bb5)
static const uint32_t MICKEY_COMP1[5] = {MICKEY_COMP1_WORDS(MICKEY_WORD)};

#define MICKEY_FB0_WORDS(F) \
    F(0xc43c1faf), F(0x0e2fa322), F(0x66e54d81), F(0xd4544b91), F(0x83630bc1)
static const uint32_t MICKEY_FB0[5] = {MICKEY_FB0_WORDS(MICKEY_WORD)};

#define MICKEY_FB1_WORDS(F) \
    F(0x9bf477ab), F(0x70798c90), F(0x6f9a18b6), F(0x6c4b7ee7), F(0x11a780ef)
static const uint32_t MICKEY_FB1[5] = {MICKEY_FB1_WORDS(MICKEY_WORD)};

#endif
