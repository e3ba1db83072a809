/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef INPUT_SEED_H
#define INPUT_SEED_H

/* What the inputs of all samples follow from, so that another process can make the same ones. */

#include "harness.h"

/* From the command line: equal for all processes that are to meet the same inputs. */
extern uint64_t input_seed;

/* Lets the operation draw what all samples share, such as a key pair: it does so for the first measure, known or not. */
void draw_shared(void);

/* The seed of a series: by what is measured, not by what was measured before, so that runs with the same input seed and
 * different implementations meet the same data, and other processes can repeat it. */
uint64_t input_seed_of(const struct sample *sample);

#endif
