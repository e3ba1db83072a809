/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The verb `place`: the cells of a grid, in random order. */
#define _GNU_SOURCE
#include "place.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "grid.h"
#include "noise.h"
#include "reference.h"
#include "runtime.h"
#include "timing.h"

enum { MAX_STACK = 1 << 16 };

static uint64_t order_seed;

static size_t next_below(size_t end)
{
    order_seed = order_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)((order_seed >> 33) % end);
}

static struct sample *cells;
static size_t cell_count;

static void add_cells(const struct grid *grid)
{
    cells = realloc(cells, (cell_count + grid->count) * sizeof *cells);
    if (!cells) harness_fail(HARNESS_ERROR, "out of memory");
    for (size_t i = 0; i < grid->count; i++) {
        const struct sample *s = &grid->samples[i];
        samples_allow(s);
        if (s->cold & ~can_evict() && !(s->cold & can_evict())) continue; /* `unable` says why */
        cells[cell_count++] = *s;
    }
}

/* The overhead in each state that the grid asks for, twice: the second is the A/A twin. */
static void add_empty(void)
{
    const size_t count = cell_count;
    unsigned char known[1 << COLD_BITS] = {0};
    struct grid grid = {.count = 1};
    for (size_t i = 0; i < count; i++) {
        const unsigned cold = cells[i].cold % (1 << COLD_BITS);
        if (known[cold]) continue;
        known[cold] = 1;
        for (uint64_t twin = 0; twin < 2; twin++) {
            struct sample one = {.measure = "empty", .keys = 1, .call_site = 1, .cold = cold, .length = 0};
            one.ad_length = twin;
            grid.samples = &one;
            add_cells(&grid);
        }
    }
}

/* Of how many calls this is cold in the same way. */
static unsigned alike(unsigned cold)
{
    unsigned count = 0;
    for (size_t i = 0; i < cell_count; i++) count += cells[i].cold == cold && strcmp(cells[i].measure, "empty") != 0;
    return count ? count : 1;
}

static __attribute__((noinline)) void take_all(unsigned trials, int64_t budget, size_t stack)
{
    volatile uint8_t *moved = alloca(stack % MAX_STACK + 16); /* the stack of all calls starts lower by this */
    moved[0] = 0;
    unsigned same[1 << COLD_BITS];
    for (unsigned cold = 0; cold < 1 << COLD_BITS; cold++) same[cold] = alike(cold);
    for (size_t left = cell_count; left > 0; left--) {
        const size_t i = next_below(left);
        const struct sample cell = cells[i];
        cells[i] = cells[left - 1];
        take_cell(&cell, trials, same[cell.cold % (1 << COLD_BITS)], budget);
    }
    moved[0] = 1;
}

/* Trying the ways takes longer than a process without anything cold. */
static int asks_for_cold(int count, char **arguments)
{
    for (int i = 0; i < count; i++)
        if (strstr(arguments[i], " cold=")) return 1;
    return 0;
}

/* SEED DITHER TRIALS BUDGET_MS STACK GRID... */
int place(int count, char **arguments)
{
    if (count < 6) return -1;
    order_seed = strtoull(arguments[0], NULL, 10) * 2 + 1;
    dither_span = (uint32_t)strtoul(arguments[1], NULL, 10);
    dither_state = order_seed;
    const unsigned trials = (unsigned)strtoul(arguments[2], NULL, 10);
    const int64_t budget = strtoll(arguments[3], NULL, 10) * 1000000;
    const size_t stack = strtoul(arguments[4], NULL, 10);
    arguments += 5, count -= 5;
    usual_timings = PLACED_TIMINGS;
    counter_start();
    if (!strncmp(arguments[0], "pair ", 5)) keypair_set(arguments[0] + 5), arguments[0][0] = 0;
    prng_seed(1);
    random_seed(1);
    record_info("chain_cycles", REFERENCE_CHAIN_CYCLES);
    noise_open(0);
    warm_up_limit = 0; /* the first call of a series is what placement is about */
    ranges_open();
    if (asks_for_cold(count, arguments)) ways_open();
    for (int i = 0; i < count; i++) {
        struct grid grid;
        if (!*arguments[i]) continue;
        harness_case("grid %s", arguments[i]);
        if (grid_parse(&grid, arguments[i])) harness_fail(HARNESS_ERROR, "malformed grid line");
        add_cells(&grid);
    }
    add_empty();
    take_all(trials, budget, stack);
    return 0;
}
