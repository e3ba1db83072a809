/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

#include "input_seed.h"
#include "runtime.h"
#include "timing.h"

static struct {
    uint64_t length, ad_length, keys;
} max;

uint64_t max_length(void)
{
    return max.length;
}

uint64_t max_ad_length(void)
{
    return max.ad_length;
}

uint64_t max_keys(void)
{
    return max.keys;
}

void samples_allow(const struct sample *s)
{
    if (s->length > max.length) max.length = s->length;
    if (s->ad_length > max.ad_length) max.ad_length = s->ad_length;
    if (s->keys > max.keys) max.keys = s->keys;
}

int arguments_parse(struct arguments *to, int count, char **arguments)
{
    char *rest;
    if (count < 6) return -1;
    to->order_seed = strtoull(arguments[0], &rest, 10);
    if (*rest == ':') input_seed = strtoull(rest + 1, NULL, 10);
    usual_timings = (unsigned)strtoul(arguments[1], NULL, 10);
    to->patience_ns = strtoll(arguments[2], &rest, 10) * 1000000;
    to->varying_ns = *rest == ':' ? strtoll(rest + 1, NULL, 10) * 1000000 : 0;
    to->noise_floor = strtod(arguments[3], NULL);
    dither_span = (uint32_t)strtoul(arguments[4], NULL, 10);
    dither_state = to->order_seed;
    if (usual_timings == 0 || usual_timings > SAMPLE_MAX_TIMINGS) return -1;
    arguments += 5, count -= 5;
    if (!strncmp(arguments[0], "pair ", 5)) {
        keypair_set(arguments[0] + 5);
        arguments++, count--;
    }
    while (count > 1 && !strncmp(arguments[0], "mix ", 4)) {
        harness_case("grid mix");
        if (mix_parse(arguments[0])) harness_fail(HARNESS_ERROR, "malformed mix");
        mix_lengths(&max.length, &max.ad_length);
        arguments++, count--;
    }
    to->grids = calloc((size_t)count, sizeof *to->grids);
    to->lines = (size_t)count;
    to->samples = 0;
    if (!to->grids) harness_fail(HARNESS_ERROR, "out of memory");
    for (size_t i = 0; i < to->lines; i++) {
        struct grid *grid = &to->grids[i];
        harness_case("grid %s", arguments[i]);
        if (grid_parse(grid, arguments[i])) harness_fail(HARNESS_ERROR, "malformed grid line");
        for (size_t k = 0; k < grid->count; k++) samples_allow(&grid->samples[k]);
        to->samples += grid->count;
    }
    return to->samples ? 0 : -1;
}
