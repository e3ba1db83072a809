/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the types of any implementation where check.c and measure.c are compiled: they need no more
 * than size and alignment, which the compiler has found in the implementation's own header. */
#include <stdint.h>

#ifdef crypto_nonceauth_KEYED
typedef struct {
    _Alignas(crypto_nonceauth_key_ALIGNMENT) uint8_t bytes[crypto_nonceauth_key_BYTES];
} crypto_nonceauth_key;

typedef struct {
    _Alignas(crypto_nonceauth_state_ALIGNMENT) uint8_t bytes[crypto_nonceauth_state_BYTES];
} crypto_nonceauth_state;
#endif
