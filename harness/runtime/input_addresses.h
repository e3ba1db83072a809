/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef INPUT_ADDRESSES_H
#define INPUT_ADDRESSES_H

/* The upper half of the addresses at which inputs of a check are mapped read-only. Nothing else is mapped there: no
 * program or library, and nothing for which the kernel or a sanitizer chooses the address. */
#define INPUTS 0x20u

#endif
