/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "mix.h"

#include <stdlib.h>
#include <string.h>

#include "grid.h"

enum order { RANDOM, ROUND_ROBIN, ZIPF, BURSTS };

struct mix {
    const char *name;
    size_t count;
    struct mix_packet *packets;
    uint64_t *until; /* sum of the weights up to and including each packet's */
    enum order order;
    uint64_t burst; /* packets */
};

static struct mix *mixes, mix; /* all, and the chosen one */
static size_t mix_count;

static struct {
    uint64_t keys; /* for which `sums` are computed */
    double *sums;  /* 1 + 1/2 + ... + 1/n, for each n */
} harmonic;

static int order_parse(const char *word)
{
    if (!strcmp(word, "random"))
        mix.order = RANDOM;
    else if (!strcmp(word, "round-robin"))
        mix.order = ROUND_ROBIN;
    else if (!strncmp(word, "zipf:", 5))
        mix.order = ZIPF;
    else if (!strncmp(word, "bursts:", 7) && (mix.burst = strtoull(word + 7, NULL, 10)) > 0)
        mix.order = BURSTS;
    else
        return -1;
    return 0;
}

/* Parses MEASURE:LENGTH:AD_LENGTH:WEIGHT and adds the packet. */
static int packet_parse(char *item)
{
    char *words[4], *end = NULL;
    for (int i = 0; i < 4; i++)
        if (!(words[i] = strsep(&item, ":"))) return -1;
    const size_t bytes = mix.count + 1;
    struct mix_packet *packets = realloc(mix.packets, bytes * sizeof *packets);
    if (packets) mix.packets = packets;
    uint64_t *until = realloc(mix.until, bytes * sizeof *until);
    if (until) mix.until = until;
    if (!packets || !until) return -1;
    const uint64_t weight = strtoull(words[3], &end, 10);
    if (*end || !weight) return -1;
    packets[mix.count] = (struct mix_packet){words[0], strtoull(words[1], NULL, 10), strtoull(words[2], NULL, 10)};
    until[mix.count] = weight + (mix.count ? until[mix.count - 1] : 0);
    mix.count++;
    return 0;
}

int mix_parse(char *line)
{
    char *item;
    struct mix *grown = realloc(mixes, (mix_count + 1) * sizeof *grown);
    if (!grown) return -1;
    mixes = grown;
    (void)strsep(&line, " ");
    mix = (struct mix){.name = strsep(&line, " ")};
    const char *order = strsep(&line, " ");
    if (!line || order_parse(order)) return -1;
    while ((item = strsep(&line, ",")))
        if (packet_parse(item)) return -1;
    mixes[mix_count++] = mix;
    return 0;
}

void mix_choose(const char *measure)
{
    const char *name = strchr(measure, '-'), *end = strrchr(measure, '-');
    for (size_t i = 0; name < end && i < mix_count; i++) {
        const size_t length = strlen(mixes[i].name);
        if (length == (size_t)(end - name - 1) && !strncmp(mixes[i].name, name + 1, length)) {
            mix = mixes[i];
            return;
        }
    }
    harness_fail(HARNESS_ERROR, "no mix for the measure %s", measure);
}

void mix_lengths(uint64_t *length, uint64_t *ad_length)
{
    for (size_t i = 0; i < mix.count; i++) { /* of the mix parsed last */
        if (mix.packets[i].length > *length) *length = mix.packets[i].length;
        if (mix.packets[i].ad_length > *ad_length) *ad_length = mix.packets[i].ad_length;
    }
}

const struct mix_packet *mix_draw(void)
{
    size_t i = 0;
    const uint64_t drawn = prng_word() % mix.until[mix.count - 1];
    while (mix.until[i] <= drawn) i++;
    return &mix.packets[i];
}

/* A key whose number k has probability 1/k in proportion. */
static uint64_t zipf_key(uint64_t keys)
{
    if (harmonic.keys < keys) {
        harmonic.sums = allocate((size_t)keys * sizeof *harmonic.sums, 0);
        for (uint64_t k = 0; k < keys; k++) harmonic.sums[k] = (k ? harmonic.sums[k - 1] : 0) + 1.0 / (double)(k + 1);
        harmonic.keys = keys;
    }
    const double drawn = (double)(prng_word() >> 11) * 0x1p-53 * harmonic.sums[keys - 1];
    uint64_t low = 0, high = keys - 1;
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        if (harmonic.sums[middle] <= drawn)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t mix_next_key(uint64_t previous, uint64_t keys)
{
    if (mix.order == ROUND_ROBIN) return (previous + 1) % keys;
    return mix.order == ZIPF ? zipf_key(keys) : prng_word() % keys;
}

int mix_continues(void)
{
    return mix.order == BURSTS && prng_word() % mix.burst != 0;
}
