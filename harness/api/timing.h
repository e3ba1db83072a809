/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TIMING_H
#define TIMING_H

#include "counter.h"
#include "counter_mean.h"
#include "dither.h"
#include "harness.h"
#include "placement.h"

/* A series ends early once it has taken SERIES_MS: after three timings, or after
 * one if that one took ten times as long. With a coarse counter it may have more
 * than usual_timings, but only within SHORT_SERIES_US: the error that
 * dithering leaves in a short call is many times its spread. A series of short
 * calls begins with warm-up calls, which do not count, for WARM_UP_US.
 * series_limit, short_series_limit and warm_up_limit are these times in counter
 * units. */
#define SERIES_MS 30
#define SHORT_SERIES_US 40
#define WARM_UP_US 8
extern int64_t series_limit, short_series_limit, warm_up_limit;
extern unsigned usual_timings;

/* A call this long is followed by a noise probe of its own (conditions.h).
 * long_call is this time in counter units. */
#define LONG_CALL_US 200
extern int64_t long_call;

/* ---- the inputs and outputs of timed calls ---------------------------------- */

/* What was measured is checked: the bytes that a timed call has computed are
 * digested after it, and another process computes them again from the same
 * inputs (the verb `repeat`). So inputs must follow from the deterministic bytes
 * alone, which timing_begin seeds anew for each timing, never from earlier
 * timings; and each timing must have inputs of its own, or an implementation
 * could remember a result instead of computing it. */

/* Adds bytes that every implementation computes from the same inputs. */
void timed_output(const void *bytes, size_t length);

/* Adds bytes that also depend on randombytes or on the implementation's own
 * encoding: only the same executable computes them again. */
void timed_own_output(const void *bytes, size_t length);

/* Forgets what was added: nobody can compute it again. */
void timed_nothing(void);

/* Fails if a timed call has returned another verdict than expected. */
void timed_verdict(int is_right, const char *what);

/* Puts one call with the opposite verdict into the next series, at a random
 * place, because an implementation that rejects whatever it is timed with would
 * be right in every other timing. That call is not recorded. timing_is_decoy is
 * set while it is prepared, made and checked. */
void series_with_decoy(const struct sample *sample);
unsigned series_decoys(void); /* calls of this series that are still to come and not recorded: 0 or 1 */
extern int timing_is_decoy;

/* The number of a warm-up call, from 1, while it is prepared and made; 0 in calls that count. */
extern unsigned warm_up_call;

/* 1 for one timing of every other series, at a random place: to verify what an
 * independent implementation cannot compute again. */
int timing_is_audited(void);

/* Overwrites 8 of every 64 bytes with deterministic ones, so that no two timings
 * have the same message. Beforehand prng_fill must have filled the message in this series. */
void freshen(uint8_t *message, uint64_t length);

/* Begins a timing: seeds the deterministic bytes and randombytes anew. */
void timing_begin(unsigned timing);

/* Ends a timing of the series that began at the count `first`. Returns its number, or the one before if it is to be
 * taken again, because it was a decoy or a warm-up call. */
unsigned timing_taken(struct sample *sample, unsigned timing, int64_t first, int64_t start, int64_t stop);
extern int64_t timing_ready; /* the count before the dither */

/* Calls are repeated; only prepared; the input that one makes is printed; one gets
 * its input from another process (repeated_calls.h). */
extern enum repeating { REPEAT_NOTHING, REPEAT_CALLS, REPEAT_INPUTS, REPEAT_MADE, REPEAT_GIVEN } repeating;
extern unsigned first_timing; /* 0 unless timings are repeated */

/* Ends a timing that is repeated: what the call and its output took, in counter units. */
void timing_repeated(struct sample *sample, int64_t took, int64_t output_took);

/* ---- inputs that the code under test makes ----------------------------------- */

/* What it made (a packet, a signature) it could remember instead of opening it.
 * So what is made before a call goes through these two: input_given returns 1 if
 * another process has made it, `*length` bytes of at most `most`. If it returns
 * 0, make it, and pass it to input_made. */
int input_given(void *bytes, size_t most, size_t *length);
void input_made(const void *bytes, size_t length);

/* Fills sample->series with successive timings of `call`; before each runs
 * `prepare`, untimed, and after it `output`, which passes what the call has
 * computed to the functions above. The last thing before a timing is the dither.
 * A macro, so that no function pointer lies between the counter and the call.
 * When calls are repeated, they are made from another place, so that code which
 * recognises the timed one is found. */
#define TIME_CHECKED(sample, prepare, call, output)                                     \
    do {                                                                                \
        const int64_t first_ = counter_read();                                          \
        for (unsigned timing_ = first_timing; timing_ < (sample)->timings; timing_++) { \
            timing_begin(timing_);                                                      \
            prepare;                                                                    \
            if (repeating) {                                                            \
                if (repeating == REPEAT_MADE || repeating == REPEAT_INPUTS) continue;   \
                const int64_t start_ = counter_read();                                  \
                call;                                                                   \
                const int64_t took_ = counter_read() - start_;                          \
                output;                                                                 \
                timing_repeated(sample, took_, counter_read() - start_ - took_);        \
                continue;                                                               \
            }                                                                           \
            timing_ready = counter_read();                                              \
            before_timing(timing_);                                                     \
            dither();                                                                   \
            int64_t start_ = counter_mean();                                            \
            call;                                                                       \
            int64_t stop_ = counter_mean();                                             \
            output;                                                                     \
            timing_ = timing_taken(sample, timing_, first_, start_, stop_);             \
        }                                                                               \
    } while (0)

/* The same for calls whose output nobody can check. */
#define TIME_SERIES(sample, prepare, call) TIME_CHECKED(sample, prepare, call, (void)0)

#endif
