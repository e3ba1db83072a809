/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls and the hash over what they return, for the checksums of all operations; see checksum.h. */
#include "checksum.h"

#include <string.h>

#include "generators.h"

#define NEAR 64 /* minimum number of bytes around a variable that a call must not write */
#define PAD 16  /* bytes around a variable in the definition */

static int big;
static uint64_t drawn, pads;
static unsigned char state[64];

void sum_start(int is_big)
{
    big = is_big;
}

void sum_answer(void)
{
    answer_bytes(state, 32);
}

size_t sum_loops(size_t small, size_t large)
{
    return big ? large : small;
}

size_t sum_longest(size_t small, size_t large)
{
    return big ? large : small;
}

void sum_open(struct sum_array *array, const char *name, size_t most)
{
    sum_open_items(array, name, most, 1);
}

void sum_open_items(struct sum_array *array, const char *name, size_t most, unsigned item_bytes)
{
    array->name = name;
    array->align = item_bytes;
    array->value = allocate(most + 1, 0);
    array->before = allocate(PAD + most, 0);
    guard_open(&array->guard, most + NEAR, name);
}

/* Every call uses a new stream, even a call for 0 bytes. */
static void draw(unsigned char *out, size_t length)
{
    salsa_stream(out, length, drawn++, (const unsigned char *)"generate inputs for test vectors");
}

uint64_t sum_random(void)
{
    unsigned char bytes[8];
    draw(bytes, sizeof bytes);
    return generator_load(bytes) | (uint64_t)generator_load(bytes + 4) << 32;
}

void sum_input(struct sum_array *array, size_t length)
{
    draw(array->value, length);
    array->length = length;
}

void sum_change(struct sum_array *array)
{
    const uint64_t by = sum_random(), at = sum_random();
    if (!array->length) return;
    array->value[at % array->length] += (unsigned char)(1 + by % 255);
}

static void absorb(const unsigned char *x, size_t length)
{
    unsigned char last[16] = {0}, next[64];
    for (; length >= 16; x += 16, length -= 16) {
        salsa_block(next, x, state);
        memcpy(state, next, sizeof next);
    }
    if (length) memcpy(last, x, length);
    last[length] = 1;
    state[0] ^= 1;
    salsa_block(next, last, state);
    memcpy(state, next, sizeof next);
}

void sum_absorb(const struct sum_array *array)
{
    absorb(array->value, array->length);
}

void sum_equal(const struct sum_array *a, const struct sum_array *b)
{
    if (a->length != b->length || memcmp(a->value, b->value, a->length))
        harness_fail(WRONG_OUTPUT, "%s differs from %s", a->name, b->name);
}

static unsigned char *place(struct sum_array *array, size_t length)
{
    return array->copy = guard_place(&array->guard, length, array->align, GUARD_FRONT);
}

/* Output y and input x share memory. */
static void place_both(struct sum_array *y, struct sum_array *x)
{
    struct sum_array *larger = y->guard.usable < x->guard.usable ? x : y;
    y->copy = x->copy = place(larger, x->length > y->length ? x->length : y->length);
    if (x->length) memcpy(x->copy, x->value, x->length);
}

/* The contents of the outputs before the first call, taken from the same stream as the pads around
 * the variables. They are part of the definition, since some implementations leave some output
 * bytes unwritten. */
static void draw_pads(const struct sum_function *f)
{
    static const unsigned char key[33] = "generate pad to catch overwrites";
    for (struct sum_array *const *out = f->outputs; *out; out++)
        salsa_stream((*out)->before, PAD + (*out)->length, pads++, key);
    for (struct sum_array *const *in = f->inputs; *in; in++) pads += 2;
}

/* The contents before another call. */
static void skip_pads(const struct sum_function *f)
{
    for (struct sum_array *const *out = f->outputs; *out; out++) pads += 2;
    for (struct sum_array *const *in = f->inputs; *in; in++) pads += 2;
}

/* Copies all variables; output y, if any, shares memory with input x. With `keep`, outputs hold
 * their last values. */
static void place_all(const struct sum_function *f, unsigned char **copies, int keep, struct sum_array *y,
                      struct sum_array *x)
{
    if (y) place_both(y, x);
    for (struct sum_array *const *out = f->outputs; *out; out++) {
        const size_t length = (*out)->length;
        if (*out != y) {
            unsigned char *copy = place(*out, length);
            if (length) memcpy(copy, keep ? (*out)->value : (*out)->before + PAD, length);
        }
        *copies++ = (*out)->copy;
    }
    for (struct sum_array *const *in = f->inputs; *in; in++) {
        if (*in != x && (*in)->length)
            memcpy(place(*in, (*in)->length), (*in)->value, (*in)->length);
        else if (*in != x)
            (void)place(*in, 0);
        *copies++ = (*in)->copy;
    }
}

static void check_all(const struct sum_function *f, const struct sum_array *y, const struct sum_array *x)
{
    if (y) guard_check(y->copy == y->guard.data ? &y->guard : &x->guard, y->name);
    for (struct sum_array *const *out = f->outputs; *out; out++)
        if (*out != y) guard_check(&(*out)->guard, (*out)->name);
    for (struct sum_array *const *in = f->inputs; *in; in++) {
        if (*in == x) continue;
        guard_check(&(*in)->guard, (*in)->name);
        if ((*in)->length && memcmp((*in)->copy, (*in)->value, (*in)->length))
            harness_fail(INPUT_MODIFIED, "%s modifies its input %s", f->name, (*in)->name);
    }
}

static void must_be_same(const struct sum_function *f, const struct sum_array *out, const struct sum_array *x,
                         size_t length)
{
    if (out->length == length && !memcmp(out->copy, out->value, length)) return;
    if (x) harness_fail(WRONG_OUTPUT, "%s returns a different %s when it overwrites %s", f->name, out->name, x->name);
    harness_fail(NOT_DETERMINISTIC, "two calls of %s return different values of %s", f->name, out->name);
}

/* Calls again, with the original sizes of the outputs. */
static void again(const struct sum_function *f, const size_t *room, struct sum_array *y, struct sum_array *x)
{
    unsigned char *copies[SUM_ARRAYS];
    size_t lengths[4];
    for (int i = 0; f->outputs[i]; i++) lengths[i] = f->outputs[i]->length, f->outputs[i]->length = room[i];
    place_all(f, copies, 0, y, x);
    if (f->call(copies)) harness_fail(NOT_DETERMINISTIC, "%s fails when called again", f->name);
    check_all(f, y, x);
    for (int i = 0; f->outputs[i]; i++)
        if (!y || f->outputs[i] == y) must_be_same(f, f->outputs[i], x, lengths[i]);
}

static int attempt(const struct sum_function *f, int keep)
{
    unsigned char *copies[SUM_ARRAYS];
    size_t room[4];
    for (int i = 0; f->outputs[i]; i++) room[i] = f->outputs[i]->length;
    place_all(f, copies, keep, NULL, NULL);
    const int result = f->call(copies);
    check_all(f, NULL, NULL);
    for (int i = 0; f->outputs[i]; i++)
        if (room[i]) memcpy(f->outputs[i]->value, f->outputs[i]->copy, room[i]);
    return result;
}

int sum_try(const struct sum_function *f)
{
    return attempt(f, 1);
}

void sum_run(const struct sum_function *f)
{
    size_t room[4] = {0};
    for (int i = 0; f->outputs[i]; i++) room[i] = f->outputs[i]->length;
    harness_case("%s", f->name);
    draw_pads(f);
    if (attempt(f, 0)) harness_fail(CALL_FAILED, "returns an error");
    for (struct sum_array *const *out = f->outputs; *out; out++) sum_absorb(*out);
    if (f->once) return;
    skip_pads(f);
    again(f, room, NULL, NULL);
    for (struct sum_array *const *y = f->outputs; *y && !f->apart; y++) {
        skip_pads(f);
        for (struct sum_array *const *x = f->inputs; *x; x++) again(f, room, *y, *x);
    }
}

void sum_swap(unsigned char *items, size_t length, size_t item_bytes)
{
    const uint16_t one = 1;
    if (*(const unsigned char *)&one) return;
    for (size_t at = 0; at < length; at += item_bytes)
        for (size_t i = 0; i < item_bytes / 2; i++) {
            unsigned char *a = items + at + i, *b = items + at + item_bytes - 1 - i, t = *a;
            *a = *b, *b = t;
        }
}
