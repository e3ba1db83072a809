/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive and the types of any implementation where check.c and measure.c are compiled:
 * they need no more than the size of an object, which the compiler has found in the implementation's own header. */
#include <stddef.h>

extern const size_t crypto_cipher_KEYBYTES;
extern const size_t crypto_cipher_IVBYTES;
extern const size_t crypto_cipher_BLOCKBYTES;

typedef struct crypto_cipher_key crypto_cipher_key;
extern const size_t crypto_cipher_key_size;
