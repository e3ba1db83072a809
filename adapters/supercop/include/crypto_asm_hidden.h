/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_asm_hidden_h
#define crypto_asm_hidden_h

/* Tells the assembler that a symbol is local to the program. */
#ifdef __APPLE__
#define ASM_HIDDEN .private_extern
#else
#define ASM_HIDDEN .hidden
#endif

#endif
