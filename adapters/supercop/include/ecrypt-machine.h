/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* eSTREAM's own header replaces macros of ecrypt-portable.h for compilers that do not recognise
 * rotations; gcc and clang do. Included several times, hence no include guard. */
