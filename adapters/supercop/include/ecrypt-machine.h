/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where eSTREAM's own headers replace macros of ecrypt-portable.h on machines
 * whose compilers do not see rotations; gcc and clang do. Included at several
 * places, hence no guard. */
