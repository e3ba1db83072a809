/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which points of a grid vary most: the standard error of the mean of each one's samples. */
#include "varying.h"

#include <string.h>

#include "runtime.h"

enum {
    FEWEST_TIMINGS = 4, /* of a series that has a middle half */
};

/* A point, and its samples so far, each in units of the chain beside it, so that a change of the clock is no
 * variation. `squares` is the sum of squared deviations from `mean`. */
static struct point {
    struct sample last; /* the one with the highest repetition */
    unsigned count;
    double mean, squares;
    int64_t nanoseconds; /* that the longest sample took */
} points[MAX_VARYING];
static size_t known;
static int too_many;

static int same_point(const struct sample *a, const struct sample *b)
{
    return !strcmp(a->measure, b->measure) && a->length == b->length && a->ad_length == b->ad_length &&
           a->keys == b->keys && a->alignment == b->alignment;
}

static struct point *point_of(const struct sample *sample)
{
    for (size_t i = 0; i < known; i++)
        if (same_point(&points[i].last, sample)) return &points[i];
    if (known == MAX_VARYING) {
        too_many = 1;
        return NULL;
    }
    points[known].last = *sample;
    return &points[known++];
}

/* The mean of the middle half of a series, which neither a timer's steps nor a long timing distort. */
static double typical(const struct sample *sample)
{
    int64_t sorted[SAMPLE_MAX_TIMINGS], sum = 0;
    const unsigned count = sample->timings, quarter = count / 4;
    for (unsigned i = 0; i < count; i++) {
        unsigned k = i;
        for (; k > 0 && sorted[k - 1] > sample->series[i]; k--) sorted[k] = sorted[k - 1];
        sorted[k] = sample->series[i];
    }
    for (unsigned i = quarter; i < count - quarter; i++) sum += sorted[i];
    return (double)sum / (count - 2 * quarter);
}

void varying_add(const struct sample *sample, const struct series_conditions *conditions)
{
    if (!strcmp(sample->measure, "empty") || sample->timings < FEWEST_TIMINGS || !undisturbed(conditions)) return;
    struct point *point = point_of(sample);
    if (!point) return;
    const double value = 2 * typical(sample) / (double)(conditions->before.chain + conditions->after.chain);
    const double distance = value - point->mean;
    point->mean += distance / ++point->count;
    point->squares += distance * (value - point->mean);
    if (point->last.repetition < sample->repetition) point->last.repetition = sample->repetition;
    if (point->nanoseconds < conditions->nanoseconds) point->nanoseconds = conditions->nanoseconds;
}

size_t varying_points(struct sample *next, unsigned fewest, double error, int64_t nanoseconds)
{
    size_t count = 0;
    for (size_t i = 0; i < known && !too_many; i++) {
        struct point *point = &points[i];
        const double n = point->count, bound = error * point->mean;
        if (point->nanoseconds > nanoseconds) continue;
        if (n >= fewest && point->squares <= bound * bound * n * (n - 1)) continue;
        point->last.repetition++;
        next[count++] = point->last;
    }
    return count;
}
