/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Records, the current case, and the digest of everything computed. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime.h"

#define BUFFER (1 << 20) /* bytes; so large that few processes write while they take samples */

FILE *records;
static int records_fd = -1;
static int has_records;

static ssize_t write_tagged(void *cookie, const char *data, size_t length)
{
    size_t done = 0;
    (void)cookie;
    record_tag_add(data, length);
    has_records = 1;
    while (done < length) {
        const ssize_t n = write(records_fd, data + done, length - done);
        if (n <= 0) return 0;
        done += (size_t)n;
    }
    return (ssize_t)length;
}

void records_open(int authenticated)
{
    if (authenticated) record_tag_open();
    records_fd = dup(STDOUT_FILENO);
    if (records_fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) _exit(4);
}

void records_stream(void)
{
    static char buffer[BUFFER];
    records = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_tagged});
    if (!records || setvbuf(records, buffer, _IOFBF, sizeof buffer)) _exit(4);
}

int records_close(void)
{
    uint8_t hash[RECORD_TAG_BYTES];
    char line[8 + 2 * RECORD_TAG_BYTES] = "tag\t";
    if (fflush(records) || (!has_records && (fputc('\n', records) < 0 || fflush(records)))) return -1;
    if (!record_tag_close(hash)) return 0;
    for (unsigned i = 0; i < RECORD_TAG_BYTES; i++) (void)snprintf(line + 4 + 2 * i, 3, "%02x", hash[i]);
    line[4 + 2 * RECORD_TAG_BYTES] = '\n';
    return write(records_fd, line, 5 + 2 * RECORD_TAG_BYTES) == 5 + 2 * RECORD_TAG_BYTES ? 0 : -1;
}

static char case_text[512] = "start";
static uint64_t digest[2] = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)};

void harness_case(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)vsnprintf(case_text, sizeof case_text, format, list);
    va_end(list);
}

const char *current_case(void)
{
    return case_text;
}

/* The names of the kinds in records. */
static const char *const kinds[] = {
#define KIND(name, meaning) [FAILURE_##name] = #name,
#include "failure_kinds.def"
#undef KIND
};

static const char *measure;

void measure_begin(const char *name)
{
    measure = name;
}

void(harness_fail)(enum failure_kind kind, const char *format, ...)
{
    char reason[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(reason, sizeof reason, format, list);
    va_end(list);
    if (!records) records_stream();
    if (measure) (void)fprintf(records, "during\t%s\n", measure);
    (void)fprintf(records, "verdict\tfailed\t%s\t%s\t%s\n", kinds[kind], case_text, reason);
    (void)records_close();
    _Exit(3);
}

/* Prints bytes in hex and ends the record. */
static void print_hex(const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i++) (void)fprintf(records, "%02x", data[i]);
    (void)fputc('\n', records);
}

#define DIGEST_EVERY 16 /* outputs between two numbers of the `digests` record */
#define MAX_DIGESTS 4096

static uint64_t outputs, first_shown = UINT64_MAX;
static uint32_t digests[MAX_DIGESTS];

void outputs_show(uint64_t first)
{
    first_shown = first;
}

/* Prints an output if it is one of those asked for; ends the process after the last of them. */
static void show(const uint8_t *data, size_t length)
{
    if (outputs < first_shown) return;
    if (outputs - first_shown == DIGEST_EVERY) {
        (void)records_close();
        _Exit(0);
    }
    (void)fprintf(records, "output\t%s\t", case_text);
    print_hex(data, length);
}

static void digest_word(uint64_t word)
{
    digest[0] = (digest[0] ^ word) * UINT64_C(0x9ddfea08eb382d69);
    digest[0] ^= digest[0] >> 29;
    digest[1] = (digest[1] + word + 1) * UINT64_C(0xc2b2ae3d27d4eb4f);
    digest[1] ^= digest[1] >> 31;
}

/* Two multiply-xorshift lanes over little-endian words and the length. They detect
 * disagreement, not deliberate collisions. */
void harness_digest(const uint8_t *data, size_t length)
{
    show(data, length);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        if (length - i >= 8)
            for (unsigned j = 0; j < 8; j++) word |= (uint64_t)data[i + j] << 8 * j;
        else
            for (unsigned j = 0; j < length - i; j++) word |= (uint64_t)data[i + j] << 8 * j;
        digest_word(word);
    }
    digest_word(length);
    if (++outputs % DIGEST_EVERY == 0 && outputs / DIGEST_EVERY <= MAX_DIGESTS)
        digests[outputs / DIGEST_EVERY - 1] = (uint32_t)((digest[0] ^ digest[1]) >> 32);
}

void verdict_ok(void)
{
    const uint64_t count = outputs / DIGEST_EVERY < MAX_DIGESTS ? outputs / DIGEST_EVERY : MAX_DIGESTS;
    (void)fprintf(records, "digests\t%" PRIu64 "\t", outputs);
    for (uint64_t i = 0; i < count; i++) (void)fprintf(records, "%08" PRIx32, digests[i]);
    (void)fputc('\n', records);
    (void)fprintf(records, "verdict\tok\t%016" PRIx64 "%016" PRIx64 "\n", digest[0], digest[1]);
}

void record_info(const char *name, uint64_t value)
{
    if (value == UINT64_MAX) return; /* a size that is not known here */
    (void)fprintf(records, "info\t%s\t%" PRIu64 "\n", name, value);
}

void answer_bytes(const uint8_t *data, size_t length)
{
    (void)fputs("answer\t", records);
    print_hex(data, length);
}

static char reason[120]; /* of the next answer that is a word */

void answer_begin(void)
{
    reason[0] = 0;
}

void answer_because(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
}

void answer_word(const char *word)
{
    (void)fprintf(records, "answer\t%s%s%s\n", word, reason[0] ? ": " : "", reason);
}

int answer_failure(int result)
{
    if (!result) return 0;
    answer_because("returns %d; 0 means success", result);
    answer_word("refused");
    return 1;
}
