/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

/* A remote procedure call, measured rung by rung: the same client, server and transport, and between message and wire
 * a layer. Each rung of the ladder differs from the one below in one thing.
 *
 *   message   4-byte length of what follows, 8-byte call number, 2-byte method, payload (little-endian)
 *   packet    what the layer makes of a message and hands to the transport
 *
 * Files that one adds, and nothing else names:
 *
 *   parts/X.c        glue that turns a primitive's API into one of the structures below
 *   layers/X.c       LAYER(X) = {...}; an executable has one rung, and RUNG_LAYER names its layer
 *   transports/X.c   TRANSPORT(X) = {...}
 *
 * The executable has the verbs of every timed executable (harness.h). */

#include <stddef.h>
#include <stdint.h>

/* ---- parts: primitives behind function pointers, as negotiated algorithms are ------------------------------------ */

/* Functions return 0 on success. `state` is an expanded key of state_bytes bytes; n is in bytes. */
struct mac {
    size_t bytes, key_bytes, nonce_bytes; /* a nonce of 0 bytes: the MAC takes none */
    int (*authenticate)(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *nonce, const uint8_t *key);
};
struct cipher {
    size_t key_bytes, iv_bytes, block_bytes, state_bytes; /* lengths are multiples of block_bytes */
    int (*expandkey)(void *state, const uint8_t *key);
    int (*encrypt)(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *iv, const void *state);
    int (*decrypt)(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *iv, const void *state);
};
struct aead {
    size_t key_bytes, nonce_bytes, tag_bytes, state_bytes;
    int takes_ad;                /* associated data; those of 2007 do not */
    int pads;                    /* decrypt leaves padding, whose last byte is its length */
    uint64_t (*padded)(uint64_t n); /* bytes of ciphertext */
    int (*expandkey)(void *state, const uint8_t *key);
    int (*encrypt)(uint8_t *packet, const uint8_t *in, uint64_t n, const uint8_t *ad, uint64_t ad_n,
                   const uint8_t *nonce, const void *state);
    int (*decrypt)(uint8_t *out, const uint8_t *packet, uint64_t n, const uint8_t *ad, uint64_t ad_n,
                   const uint8_t *nonce, const void *state);
};
struct block { /* one block of a cipher, for header protection */
    size_t key_bytes, block_bytes, state_bytes;
    int (*expandkey)(void *state, const uint8_t *key);
    void (*encrypt)(uint8_t *out, const uint8_t *in, const void *state);
};

/* The parts of this rung; NULL if it has none of that kind. */
extern const struct mac part_mac __attribute__((weak, visibility("default")));
extern const struct cipher part_cipher __attribute__((weak, visibility("default")));
extern const struct aead part_aead __attribute__((weak, visibility("default")));
extern const struct block part_block __attribute__((weak, visibility("default")));

/* What layers call: the parts above, or the spies around them (spy.h). */
struct parts {
    const struct mac *mac;
    const struct cipher *cipher;
    const struct aead *aead;
    const struct block *block;
};
extern struct parts parts;

/* ---- layers --------------------------------------------------------------------------------------------------------- */

/* The sequence numbers that a receiver has seen: the highest, and which of the 64 up to it. */
struct window {
    uint64_t highest, seen;
    int started;
};

/* Returns whether `sequence` is new, without noting it; window_note notes it once its packet is accepted. */
int window_accepts(const struct window *window, uint64_t sequence);
void window_note(struct window *window, uint64_t sequence);

/* The expanded keys of one direction of a connection. */
struct keys {
    uint8_t *mac;
    void *cipher, *aead, *block;
};

/* One end of a connection. */
struct end {
    struct keys send, receive;
    uint64_t sent; /* the next sequence number */
    struct window window;
    uint8_t *scratch; /* room for a packet, aligned */
    void *library;    /* what a layer by a library keeps of the connection */
};

#define HEADER 12 /* of the layers on streams: 4-byte length of the rest, 8-byte sequence number */
#define TRAILER 16

struct layer {
    const char *name;
    int datagrams; /* only for transports that keep packets apart */
    /* The most bytes that a packet has beyond its message. */
    size_t overhead;
    /* Return the bytes of the packet (the message), or 0 if it cannot be made (is refused). */
    size_t (*seal)(struct end *end, uint8_t *packet, const uint8_t *message, size_t n);
    size_t (*unseal)(struct end *end, uint8_t *message, const uint8_t *packet, size_t n);
    /* Only of a library's layer, whose connection ends with the first bad packet: makes two ends known to each other.
     * Returns 0, or -1. */
    int (*pair_up)(struct end *client, struct end *server);
    int (*protects)(void); /* of such a layer: whether changed packets are found out; NULL: they are */
};
#define LAYER(name) const struct layer layer_##name

extern const struct layer *const rung_layer; /* seal is NULL for the plain RPC: a message is its packet */

/* Room for the largest overhead of any primitive. */
#define MAX_OVERHEAD 1600

/* The header on streams. header_put takes the next sequence number; header_get returns -1 if the length is wrong or
 * the sequence number was seen. */
void header_put(struct end *end, uint8_t *packet, size_t n, uint64_t *sequence);
int header_get(const struct end *end, const uint8_t *packet, size_t n, uint64_t *sequence);

/* Copies bytes and counts them, for the account of copies. */
void layer_copy(uint8_t *out, const uint8_t *in, size_t n);

/* Whether two authenticators are equal, in a time that does not depend on where they differ. */
int same_bytes(const uint8_t *a, const uint8_t *b, size_t n);

void put_le(uint8_t *out, uint64_t value, unsigned bytes);
uint64_t get_le(const uint8_t *in, unsigned bytes);

/* The initialisation vector or nonce of a packet: its sequence number, little-endian, then zeros. A deployed CBC needs
 * an unpredictable one, which costs one block more. */
#define MAX_NONCE 64
void nonce_of(uint8_t *nonce, uint64_t sequence);

/* ---- transports ------------------------------------------------------------------------------------------------------ */

struct transport {
    const char *name;
    int datagrams;  /* keeps packets apart */
    int in_process; /* client and server take turns in one process */
    /* Makes a connected pair of sockets; -1 with errno if the system has none. */
    int (*pair)(int ends[2]);
};
#define TRANSPORT(name)                                                                                   \
    static const struct transport transport_##name;                                                       \
    static const struct transport *const registered_##name __attribute__((section("transports"), used)) = \
        &transport_##name;                                                                                \
    static const struct transport transport_##name

const struct transport *transport_named(const char *name);

#endif
