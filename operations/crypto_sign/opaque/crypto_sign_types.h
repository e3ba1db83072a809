/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the types of any implementation where check.c and measure.c are compiled: they need no more
 * than size and alignment, which the compiler has found in the implementation's own header. */
#include <stdint.h>

#ifdef crypto_sign_PRECOMPUTES
typedef struct {
    _Alignas(crypto_sign_expanded_public_ALIGNMENT) uint8_t bytes[crypto_sign_expanded_public_BYTES];
} crypto_sign_expanded_public;

typedef struct {
    _Alignas(crypto_sign_expanded_secret_ALIGNMENT) uint8_t bytes[crypto_sign_expanded_secret_BYTES];
} crypto_sign_expanded_secret;
#endif
