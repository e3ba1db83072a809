/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The oracles of post-quantum packages:
 *
 *   nistkat              the first record of the file that NIST's generator writes
 *   nistkat-hqc          the same with HQC's random bytes
 *   testvectors          PQClean's additional test
 *   record drbg COUNT SEED [MESSAGE]     the record with that seed (in hex)
 *
 * The answer is the text, in hex. */
#include "kat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t *zeroed(struct guard *guard, size_t length, size_t capacity, const char *name)
{
    if (!guard->pages) guard_open(guard, capacity, name);
    return memset(guard_place(guard, length, GUARD_ANY, GUARD_BACK), 0, length);
}

static char *text;
static size_t text_length, text_room;

static char *text_more(size_t length)
{
    if (text_room - text_length < length) {
        text_room = 2 * text_room + length;
        text = realloc(text, text_room);
        if (!text) harness_fail(HARNESS_ERROR, "out of memory for the known answers");
    }
    text_length += length;
    return text + text_length - length;
}

static void text_digits(const char *digits, const uint8_t *data, size_t length)
{
    char *at = text_more(2 * length + 1);
    for (size_t i = 0; i < length; i++) *at++ = digits[data[i] >> 4], *at++ = digits[data[i] & 15];
    *at = '\n';
}

static void text_name(const char *name)
{
    const size_t length = strlen(name);
    char *at = text_more(length + 3);
    memcpy(at, name, length);
    memcpy(at + length, " = ", 3);
}

void text_hex(const char *name, const uint8_t *data, size_t length)
{
    static const uint8_t zero[1];
    text_name(name);
    text_digits("0123456789ABCDEF", length ? data : zero, length ? length : 1); /* it prints 00 if there are no bytes */
}

void text_line(const uint8_t *data, size_t length)
{
    text_digits("0123456789abcdef", data, length);
}

void text_number(const char *name, uint64_t value)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu\n", (unsigned long long)value);
    text_name(name);
    memcpy(text_more((size_t)length), digits, (size_t)length);
}

static void answer(const struct record *record)
{
    text_number("count", record->count);
    text_hex("seed", record->seed, SEED_BYTES);
    record->source->start(record->seed);
    random_use(record->source->draw);
    record_answer(record);
}

static void first_record(const struct source *source)
{
    static uint8_t message[256];
    struct record record = {.source = source, .message = message, .length = record_message_bytes};
    uint8_t seed[SEED_BYTES];
    for (int i = 0; i < SEED_BYTES; i++) seed[i] = (uint8_t)i;
    source->start(seed);
    source->draw(record.seed, SEED_BYTES);
    if (record_message_bytes) source->draw(message, record_message_bytes);
    answer(&record);
}

/* Decodes hex at `from` up to a space; returns the number of bytes. */
static size_t from_hex(uint8_t *out, const char *from)
{
    size_t n = 0;
    unsigned byte;
    while (sscanf(from + 2 * n, "%2x", &byte) == 1 && from[2 * n] != ' ' && from[2 * n + 1]) out[n++] = (uint8_t)byte;
    return n;
}

static int given_record(const char *name)
{
    unsigned long long count;
    int seed_at, message_at = 0;
    const struct source *source = !strncmp(name, "record hqc ", 11) ? &source_hqc : &source_drbg;
    if (sscanf(name, "record %*s %llu %n%*s %n", &count, &seed_at, &message_at) != 1) return -1;
    const char *message = message_at ? name + message_at : "";
    struct record record = {.source = source, .count = count};
    uint8_t *bytes = allocate(strlen(message) / 2 + 1, 0);
    if (from_hex(record.seed, name + seed_at) != SEED_BYTES) return -1;
    record.length = from_hex(bytes, message);
    record.message = bytes;
    answer(&record);
    return 0;
}

int oracle_answer(const char *name)
{
    int unknown = 0;
    if (!strcmp(name, "detached") && detached_test) {
        detached_test();
        answer_word("agrees");
        return 0;
    }
    harness_case("known answers");
    if (!strcmp(name, "nistkat"))
        first_record(&source_drbg);
    else if (!strcmp(name, "nistkat-hqc"))
        first_record(&source_hqc);
    else if (!strcmp(name, "testvectors"))
        random_use(surf_draw), unknown = surf_test();
    else
        unknown = given_record(name);
    if (!unknown) answer_bytes((const uint8_t *)text, text_length);
    return unknown;
}
