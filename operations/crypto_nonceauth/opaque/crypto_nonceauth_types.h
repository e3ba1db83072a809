/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive and the types of any implementation where check.c and measure.c are compiled:
 * they need no more than the size of an object, which the compiler has found in the implementation's own header. */
#include <stddef.h>

extern const size_t crypto_nonceauth_BYTES;
extern const size_t crypto_nonceauth_NONCEBYTES;
extern const size_t crypto_nonceauth_KEYBYTES;

#ifdef crypto_nonceauth_KEYED
typedef struct crypto_nonceauth_key crypto_nonceauth_key;
extern const size_t crypto_nonceauth_key_size;

typedef struct crypto_nonceauth_state crypto_nonceauth_state;
extern const size_t crypto_nonceauth_state_size;
#endif
