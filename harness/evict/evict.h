/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef EVICT_H
#define EVICT_H

/* Ways to make something cold without privilege. Each is a file of this folder,
 * which defines one EVICT_WAY; nothing keeps a list of them. At start every way
 * is tried on this machine and scored by probes (harness/placement/ways.c);
 * of those that work, the one that reaches farthest is used. */

#include <stddef.h>
#include <stdint.h>

/* What can be made cold; a sample's `cold` is a set of these bits. */
enum cold {
    COLD_CODE = 1,
    COLD_TABLES = 2,
    COLD_KEY = 4,
    COLD_INPUT = 8,
    COLD_OUTPUT = 16,
    COLD_TLB = 32,
    COLD_PREDICTOR = 64,
    COLD_VECTOR = 128,
};
#define COLD_DATA (COLD_TABLES | COLD_KEY | COLD_INPUT | COLD_OUTPUT)
#define COLD_BITS 8

struct range {
    const uint8_t *first;
    size_t bytes;
};

struct evict_way {
    const char *name;
    unsigned of;        /* the bits of enum cold that it can evict */
    const char *level;  /* how far what it evicts goes: "memory", "L3", "L2" or "" */
    const char *(*open)(void); /* returns NULL, or one line that says why this machine cannot do it */
    void (*evict)(const struct range *ranges, size_t count);
};

/* Ways are found by the linker: it puts pointers to all of them one after another. */
#define EVICT_WAY(...)                                 \
    static const struct evict_way way = {__VA_ARGS__}; \
    static const struct evict_way *const way_pointer __attribute__((section("evict_ways"), used)) = &way

/* Reads through 64-byte lines, the smallest of the machines we know. */
#define LINE 64

/* Runs so many KiB of code that does nothing, a jump per line; at most OTHER_CODE_KIB. */
#define OTHER_CODE_KIB 2048
void run_other_code(size_t kib);
const uint8_t *other_code_start(void); /* where that is; NULL if there is none */

#endif
