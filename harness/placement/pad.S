/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* PAD bytes of text that never run: they move what is linked after them. */
.text
.skip PAD
#if defined(__linux__) && defined(__ELF__)
.section .note.GNU-stack, "", %progbits
#endif
