/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ABC_KEY_COEFFICIENTS_H
#define ABC_KEY_COEFFICIENTS_H

/* ABC v3: the coefficients of the filter during key set-up, one a bit and the
 * constant term last (Anashin, Bogdanov, Kizhvatov, "ABC: a new fast flexible
 * stream cipher", version 3, eSTREAM 2006). */

#include <stdint.h>

static const uint32_t abc_key_coefficients[33] = {
    0x8bbc7b0a, 0xe774a906, 0x13040ec0, 0xea149bd0, 0x32e3281d, 0x38c15589,
    0xbdc92ea9, 0x6b587ba0, 0xe1009816, 0xeaa84751, 0x77f1ce29, 0xeb94ad46,
    0xffd624d0, 0x89581695, 0xf0bbfbd3, 0x83404b20, 0x9e66abea, 0x798ce417,
    0x8d1adfb3, 0xb8c6bf9f, 0x3bbad552, 0x923ddd55, 0xa6461e22, 0xcbf825b8,
    0x1139265e, 0xb9cf4535, 0xe7c87f14, 0xf4f855d3, 0x7c77f154, 0x46c0f13c,
    0x2d1229e6, 0xcf390000, 0xa883b17d,
};

#endif
