/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_asm_hidden_h
#define crypto_asm_hidden_h

/* How an assembler is told that a symbol stays inside the program. */
#ifdef __APPLE__
#define ASM_HIDDEN .private_extern
#else
#define ASM_HIDDEN .hidden
#endif

#endif
