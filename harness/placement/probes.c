/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Probes: short timings of something that is either warm or evicted.
 *
 * A load of one line; a call of a function with a line of its own; loads from 32
 * pages whose lines are in the first-level cache; a loop of 512 branches with a
 * fixed pattern; a row of vector instructions. */
#include "probes.h"

#include <string.h>

#include "runtime.h"
#include "timing.h"

enum { LINES = 64, PAGES = 32, PAGE = 4096, BRANCHES = 512 };

static uint8_t *lines, *pages;
static uint8_t pattern[BRANCHES];

const uint8_t *test_line(size_t number)
{
    return lines + 4 * LINE * (number % LINES);
}

int64_t load_time(const uint8_t *line)
{
    dither();
    const int64_t start = counter_read();
    (void)*(const volatile uint8_t *)line;
    return counter_read() - start;
}

/* Functions of one instruction beside the text of the implementation, each alone in its lines. There are several, of
 * which a probe calls a random one: the line of a predicted call is fetched before the call. */
enum { FUNCTION_BYTES = 128 };
__asm__(".pushsection .text.probe, \"ax\", %progbits\n"
        ".balign 128\n"
        ".globl probe_functions\n"
        ".hidden probe_functions\n"
        "probe_functions:\n"
        ".rept 32\n"
        "ret\n"
        ".balign 128\n"
        ".endr\n"
        ".popsection\n");
extern const uint8_t probe_functions[] __attribute__((visibility("hidden")));

static int64_t call_time(void)
{
    static uint64_t state = 5;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint8_t *address = probe_functions + (state >> 33) % FUNCTIONS * FUNCTION_BYTES;
    void (*function)(void);
    memcpy(&function, &address, sizeof function);
    dither();
    const int64_t start = counter_read();
    function();
    return counter_read() - start;
}

/* Each of the loads needs the value of the one before. */
static int64_t pages_time(void)
{
    size_t at = 0;
    dither();
    const int64_t start = counter_read();
    for (size_t i = 0; i < PAGES; i++) at = *(const volatile size_t *)(const void *)(pages + at);
    return counter_read() - start;
}

static int64_t branches_time(void)
{
    unsigned taken = 0;
    const int64_t start = counter_read();
    for (size_t i = 0; i < BRANCHES; i++)
        if (((const volatile uint8_t *)pattern)[i]) {
            taken++;
            __asm__ volatile("" : "+r"(taken));
        }
    return counter_read() - start;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"), noinline)) static void vector_row(void)
{
    __asm__ volatile(
        "vpxor %%ymm0, %%ymm0, %%ymm0\n\t.rept 64\n\tvpmuludq %%ymm0, %%ymm0, %%ymm0\n\t.endr\n\tvzeroupper" ::
            : "xmm0");
}
int has_vector(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
static void vector_row(void)
{
}
int has_vector(void)
{
    return 0;
}
#endif

static int64_t vector_time(void)
{
    dither();
    const int64_t start = counter_read();
    vector_row();
    return counter_read() - start;
}

/* The probe that belongs to a bit; of a buffer, of one of the test lines. */
int64_t probe_time(unsigned bit, const uint8_t *line)
{
    switch (bit) {
    case COLD_CODE:
        return call_time();
    case COLD_TLB:
        return pages_time();
    case COLD_PREDICTOR:
        return branches_time();
    case COLD_VECTOR:
        return vector_time();
    default:
        return load_time(line);
    }
}

struct range probed(unsigned bit, const uint8_t *line)
{
    if (bit != COLD_CODE) return (struct range){line, LINE};
    return (struct range){probe_functions, FUNCTIONS * FUNCTION_BYTES};
}

void probes_warm(void)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2 * FUNCTIONS; k++) (void)call_time();
        (void)pages_time();
        (void)branches_time();
        if (has_vector()) (void)vector_time();
    }
}

void probes_open(void)
{
    lines = allocate(LINES * 4 * LINE, 0);
    pages = allocate(PAGES * PAGE, 0);
    for (size_t i = 0; i < LINES * 4 * LINE; i++) lines[i] = (uint8_t)i;
    for (size_t i = 0; i < PAGES; i++) { /* the lines are in different sets of a cache */
        const size_t next = (i + 1) % PAGES, at = i * PAGE + i * LINE, to = next * PAGE + next * LINE;
        memcpy(pages + at, &to, sizeof to);
    }
    uint64_t state = 3;
    for (size_t i = 0; i < BRANCHES; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        pattern[i] = (uint8_t)(state >> 63);
    }
}
