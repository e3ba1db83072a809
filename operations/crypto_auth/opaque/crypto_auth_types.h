/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive and the types of any implementation where check.c and measure.c are compiled:
 * they need no more than the size of an object, which the compiler has found in the implementation's own header. */
#include <stddef.h>

extern const size_t crypto_auth_BYTES;
extern const size_t crypto_auth_KEYBYTES;

#ifdef crypto_auth_INCREMENTAL
typedef struct crypto_auth_state crypto_auth_state;
extern const size_t crypto_auth_state_size;
#endif
