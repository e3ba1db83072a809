/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ends of a connection: their keys, and the buffers of a process. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "session.h"

struct parts parts;

__attribute__((constructor)) static void find_parts(void)
{
    parts = (struct parts){.mac = &part_mac, .cipher = &part_cipher, .aead = &part_aead, .block = &part_block};
}

#define ALIGNMENT 64
#define MAX_KEY 256

static void *aligned(size_t bytes)
{
    void *memory = NULL;
    bytes = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
    if (posix_memalign(&memory, ALIGNMENT, bytes)) return NULL;
    memset(memory, 0, bytes);
    return memory;
}

/* The key of a part: any bytes, which differ by connection, direction and part. Both ends derive the same. */
static void key_for(uint8_t *key, size_t bytes, unsigned connection, int direction, int part)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (connection * 8u + (unsigned)direction * 4u + (unsigned)part + 1u);
    for (size_t i = 0; i < bytes; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        key[i] = (uint8_t)(state >> 32);
    }
}

static int keys_open(struct keys *keys, unsigned connection, int direction)
{
    uint8_t key[MAX_KEY];
    int failed = 0;
    if (parts.mac) {
        if (!(keys->mac = aligned(parts.mac->key_bytes))) return -1;
        key_for(keys->mac, parts.mac->key_bytes, connection, direction, 0);
    }
    if (parts.cipher) {
        if (!(keys->cipher = aligned(parts.cipher->state_bytes))) return -1;
        key_for(key, parts.cipher->key_bytes, connection, direction, 1);
        failed |= parts.cipher->expandkey(keys->cipher, key);
    }
    if (parts.aead) {
        if (!(keys->aead = aligned(parts.aead->state_bytes))) return -1;
        key_for(key, parts.aead->key_bytes, connection, direction, 2);
        failed |= parts.aead->expandkey(keys->aead, key);
    }
    if (parts.block) {
        if (!(keys->block = aligned(parts.block->state_bytes))) return -1;
        key_for(key, parts.block->key_bytes, connection, direction, 3);
        failed |= parts.block->expandkey(keys->block, key);
    }
    return failed ? -1 : 0;
}

int end_open(struct end *end, int is_server, unsigned connection)
{
    memset(end, 0, sizeof *end);
    end->sent = 1;
    return keys_open(&end->send, connection, is_server) || keys_open(&end->receive, connection, !is_server) ? -1 : 0;
}

int room_for(struct room *room, size_t payload)
{
    const size_t bytes = MESSAGE + payload + MAX_OVERHEAD;
    if (bytes <= room->bytes) return 0;
    free(room->message), free(room->packet), free(room->answer);
    room->message = aligned(bytes);
    room->packet = aligned(bytes);
    room->answer = aligned(bytes);
    room->bytes = bytes;
    return room->message && room->packet && room->answer ? 0 : -1;
}
