/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive and the types of any implementation where check.c and measure.c are compiled:
 * they need no more than the size of an object, which the compiler has found in the implementation's own header. */
#include <stddef.h>

extern const size_t crypto_sign_PUBLICKEYBYTES;
extern const size_t crypto_sign_SECRETKEYBYTES;
extern const size_t crypto_sign_BYTES;

#ifdef crypto_sign_PRECOMPUTES
typedef struct crypto_sign_expanded_public crypto_sign_expanded_public;
extern const size_t crypto_sign_expanded_public_size;

typedef struct crypto_sign_expanded_secret crypto_sign_expanded_secret;
extern const size_t crypto_sign_expanded_secret_size;
#endif
