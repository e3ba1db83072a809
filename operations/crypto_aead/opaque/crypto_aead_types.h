/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive and the types of any implementation where check.c and measure.c are compiled:
 * they need no more than the size of an object, which the compiler has found in the implementation's own header. */
#include <stddef.h>

extern const size_t crypto_aead_KEYBYTES;
extern const size_t crypto_aead_NONCEBYTES;
extern const size_t crypto_aead_TAGBYTES;

typedef struct crypto_aead_key crypto_aead_key;
extern const size_t crypto_aead_key_size;
