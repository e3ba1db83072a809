/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICKEY-128 2.0: the constants of the two registers, from the specification
 * (Babbage, Dodd, eSTREAM 2006, section 4).  Bit i of a table, i = 0..159, is
 * bit i % 32 of word i / 32.  R_MASK: where the feedback enters R.  COMP0, COMP1:
 * the complements inside the nonlinear update of S.  FB0, FB1: where the
 * feedback enters S, for control bit 0 and 1. */

#ifndef MICKEY_TABLES_H
#define MICKEY_TABLES_H

#include <stdint.h>

static const uint32_t MICKEY_R_MASK[5] = {
    0x42114d31, 0xf3ec4c59, 0x9c679626, 0x803bbe32, 0x375253af};

static const uint32_t MICKEY_COMP0[5] = {
    0x5dd6f25e, 0x79260955, 0x79007062, 0x37afd931, 0x0fbe06be};

static const uint32_t MICKEY_COMP1[5] = {
    0x7d191f30, 0xfeb63c98, 0x7c00c3e0, 0x6660e345, 0x7ff45bb5};

static const uint32_t MICKEY_FB0[5] = {
    0xc43c1faf, 0x0e2fa322, 0x66e54d81, 0xd4544b91, 0x83630bc1};

static const uint32_t MICKEY_FB1[5] = {
    0x9bf477ab, 0x70798c90, 0x6f9a18b6, 0x6c4b7ee7, 0x11a780ef};

#endif
