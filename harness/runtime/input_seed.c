/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "input_seed.h"

uint64_t input_seed;

void prng_seed_shared(uint64_t number)
{
    prng_seed(input_seed ^ UINT64_C(0x94d049bb133111eb) * (number + 1));
}

void draw_shared(void)
{
    struct sample none = {.measure = "", .keys = 1};
    prng_seed(input_seed);
    random_seed(prng_word());
    (void)operation_measure(&none);
}

uint64_t input_seed_of(const struct sample *s)
{
    const uint64_t values[] = {s->length, s->ad_length, s->keys, s->alignment, s->repetition, s->number};
    uint64_t seed = input_seed;
    for (const char *c = s->measure; *c; c++) prng_seed(seed + (unsigned char)*c), seed = prng_word();
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) prng_seed(seed + values[i]), seed = prng_word();
    return seed;
}
