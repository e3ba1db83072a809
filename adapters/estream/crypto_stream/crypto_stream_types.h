/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_TYPES_H
#define CRYPTO_STREAM_TYPES_H

#include <stdint.h>

/* crypto_stream over a cipher of eSTREAM's API: the expanded key is its context, of which
 * every packet has a copy. STATEBYTES and BLOCKBYTES come from its header. */

typedef struct {
    _Alignas(16) unsigned char context[crypto_stream_STATEBYTES];
} crypto_stream_key;

/* Whole blocks with the first 16 bytes in them. */
#define ESTREAM_FIRSTBLOCKS ((15 + crypto_stream_BLOCKBYTES) / crypto_stream_BLOCKBYTES)
#define ESTREAM_FIRSTBYTES (ESTREAM_FIRSTBLOCKS * crypto_stream_BLOCKBYTES)

typedef struct {
    _Alignas(16) unsigned char context[crypto_stream_STATEBYTES];
    unsigned char blocks[ESTREAM_FIRSTBYTES];
} crypto_stream_state;

#endif
