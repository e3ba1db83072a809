/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The state of CMAC and CBC-MAC: the chain, and the block that is incomplete or may be the last. */
#include "crypto_blockcipher.h"

typedef struct {
    crypto_blockcipher_key key;
    unsigned char chain[crypto_blockcipher_BLOCKBYTES], block[crypto_blockcipher_BLOCKBYTES];
    unsigned filled;
} chained_state;

#ifndef crypto_blockcipher_RELEASES /* otherwise copies of a state would share the library's context */
#define crypto_auth_INCREMENTAL 1
typedef chained_state crypto_auth_state;
#endif
