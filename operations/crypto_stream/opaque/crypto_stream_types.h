/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive and the types of any implementation where check.c and measure.c are compiled:
 * they need no more than the size of an object, which the compiler has found in the implementation's own header. */
#include <stddef.h>

extern const size_t crypto_stream_KEYBYTES;
extern const size_t crypto_stream_NONCEBYTES;

typedef struct crypto_stream_key crypto_stream_key;
extern const size_t crypto_stream_key_size;

typedef struct crypto_stream_state crypto_stream_state;
extern const size_t crypto_stream_state_size;
