/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Template, for wide.h: passes with a block a lane.  The vectors hold the rows
 * (or the diagonals) of the 4x4 matrices, so that four quarter rounds are one;
 * between rounds three of them are rotated within the lanes.  The chain of
 * dependent instructions leaves most of the machine idle: two or three such
 * sets run side by side in little more than the time of one. */

#define PER_SET (LANES_WORDS / 4)

#define ROWS_SETS 1
#include "rows_pass.h"
#define ROWS_SETS 2
#include "rows_pass.h"
#define ROWS_SETS 3
#include "rows_pass.h"

#undef PER_SET
