/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SURF127EPS_CONSTANTS_H
#define SURF127EPS_CONSTANTS_H

/* The surface of Gaudry, Houtmann and Thome over the field of 2^127 - 735
 * elements, as four 32-bit words each, the lowest first: FE is the field's.
 *
 * With (alpha : beta : gamma : delta) the squares of the theta constants and
 * (A : B : C : D) their Hadamard transform:
 *   Y0 = alpha/beta, Z0 = alpha/gamma, T0 = alpha/delta,
 *   Y1 = A/B,        Z1 = A/C,         T1 = A/D.
 * The surface is
 *   (x^2 + y^2 + z^2 + t^2 - F(xt + yz) - G(xz + yt) - H(xy + zt))^2 = K xyzt. */

#define Y0 FE(0xd13f96bf, 0xb3909a46, 0x5717089c, 0x40db29d2)
#define Z0 FE(0xe17c3a7d, 0xbb837de5, 0x2c2da5ea, 0x7869446d)
#define T0 FE(0x92631212, 0xb7e7d140, 0x77f27179, 0x1a55d394)
#define Y1 FE(0x4efe6820, 0xa256e157, 0x234c51c1, 0x4754aa64)
#define Z1 FE(0x3979c778, 0x3b06a5bd, 0x4b15dfa7, 0x2046c5c1)
#define T1 FE(0x3bafa549, 0x88dc32eb, 0x44cf81fc, 0x10f1fb1e)

#define SURFACE_F FE(0x141a9b8c, 0x698c57e0, 0x7e47fde7, 0x76f2bddb)
#define SURFACE_G FE(0x8219f0fa, 0xce85ed7e, 0xf2fef158, 0x37e19dd2)
#define SURFACE_H FE(0x9d9432cd, 0x193b0dd8, 0xd8bf1ebe, 0x74a9f3a3)
#define SURFACE_K FE(0x3dbec833, 0x3e195da9, 0xf290ae2f, 0x232d495c)

/* The identity (1 : IDENTITY_Y : IDENTITY_Z : IDENTITY_T) is
 * (alpha : beta : gamma : delta) with alpha = 1. */
#define IDENTITY_Y FE(0x13d44983, 0x30141d8b, 0x06d55269, 0x0652d50f)
#define IDENTITY_Z FE(0x836f693a, 0x94ce6153, 0xe0997cc6, 0x4c7c2970)
#define IDENTITY_T FE(0x03eaf8cc, 0xb475d666, 0xcb59a07f, 0x21269abd)

/* The base point (1 : 1 : 49 : BASE_T). */
#define BASE_Z FE(49, 0, 0, 0)
#define BASE_T FE(0xc39d81f5, 0xa2c0b8e4, 0x3753009f, 0x28869625)

#endif
