/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "grid.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* A repetition is another sample with the same values. */
enum variable {
    LENGTH,
    AD_LENGTH,
    KEYS,
    ALIGNMENT,
    REPETITION,
    OUTPUT_ALIGNMENT,
    KEY_ALIGNMENT,
    COLD,
    CALL_SITE,
    BETWEEN,
    VARIABLES
};
static const char *const variable_names[VARIABLES] = {
    "length",           "ad_length",     "keys", "alignment", "repetition",
    "output_alignment", "key_alignment", "cold", "call_site", "between",
};
#define AS_INPUT UINT64_MAX /* an output alignment that follows the input's */

struct values {
    uint64_t *value;
    size_t count;
};

static int values_add(struct values *values, uint64_t first, uint64_t last, uint64_t step)
{
    if (last < first || step == 0 || (last - first) / step > 1000000) return -1;
    const size_t more = (size_t)((last - first) / step) + 1;
    uint64_t *grown = realloc(values->value, (values->count + more) * sizeof *grown);
    if (!grown) return -1;
    values->value = grown;
    for (size_t i = 0; i < more; i++) grown[values->count++] = first + i * step;
    return 0;
}

/* Parses a list such as "0,40,100-200/10"; 0, or -1 if it is malformed. */
static int values_parse(struct values *values, char *text)
{
    char *item;
    values->count = 0;
    while ((item = strsep(&text, ","))) {
        char *end;
        const uint64_t first = strtoull(item, &end, 10);
        uint64_t last = first, step = 1;
        if (end == item) return -1;
        if (*end == '-') last = strtoull(end + 1, &end, 10);
        if (*end == '/') step = strtoull(end + 1, &end, 10);
        if (*end || values_add(values, first, last, step)) return -1;
    }
    return 0;
}

static int variable_parse(struct values *values, char *word)
{
    char *name = strsep(&word, "=");
    for (int i = 0; word && i < VARIABLES; i++)
        if (!strcmp(name, variable_names[i])) return values_parse(&values[i], word);
    return -1;
}

static struct sample sample_at(const struct values *values, size_t index)
{
    struct sample sample = {0};
    uint64_t at[VARIABLES];
    for (int i = 0; i < VARIABLES; i++) {
        at[i] = values[i].value[index % values[i].count];
        index /= values[i].count;
    }
    sample.length = at[LENGTH];
    sample.ad_length = at[AD_LENGTH];
    sample.keys = at[KEYS] ? at[KEYS] : 1;
    sample.alignment = (unsigned)(at[ALIGNMENT] % ALIGNMENTS);
    sample.repetition = (unsigned)at[REPETITION];
    sample.output_alignment = at[OUTPUT_ALIGNMENT] == AS_INPUT ? sample.alignment : at[OUTPUT_ALIGNMENT] % ALIGNMENTS;
    sample.key_alignment = (unsigned)(at[KEY_ALIGNMENT] % ALIGNMENTS);
    sample.cold = (unsigned)at[COLD];
    sample.call_site = (unsigned)at[CALL_SITE];
    sample.between = (unsigned)at[BETWEEN];
    return sample;
}

int grid_parse(struct grid *grid, char *line)
{
    struct values values[VARIABLES] = {{0}};
    char *word;
    const char *measure = strsep(&line, " ");
    for (int i = 0; i < VARIABLES; i++) {
        const uint64_t usual = i == OUTPUT_ALIGNMENT ? AS_INPUT : i == KEYS;
        if (values_add(&values[i], usual, usual, 1)) return -1;
    }
    while ((word = strsep(&line, " ")))
        if (*word && variable_parse(values, word)) return -1;
    grid->count = 1;
    for (int i = 0; i < VARIABLES; i++) grid->count *= values[i].count;
    grid->samples = calloc(grid->count, sizeof *grid->samples);
    if (!grid->samples) return -1;
    for (size_t i = 0; i < grid->count; i++) {
        grid->samples[i] = sample_at(values, i);
        grid->samples[i].measure = measure;
    }
    for (int i = 0; i < VARIABLES; i++) free(values[i].value);
    return 0;
}
