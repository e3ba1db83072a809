/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the types of any implementation where check.c and measure.c are compiled: they need no more
 * than size and alignment, which the compiler has found in the implementation's own header. */
#include <stdint.h>

typedef struct {
    _Alignas(crypto_aead_key_ALIGNMENT) uint8_t bytes[crypto_aead_key_BYTES];
} crypto_aead_key;
