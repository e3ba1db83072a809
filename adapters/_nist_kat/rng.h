/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RNG_H
#define RNG_H

/* Where the known answers of post-quantum packages draw their random bytes from.
 * Each is a `random_function` of harness.h. */

#include <stdint.h>

#define SEED_BYTES 48

struct source {
    const char *name;
    void (*start)(const uint8_t *seed); /* SEED_BYTES */
    void (*draw)(unsigned char *x, unsigned long long length);
};

/* AES-256-CTR-DRBG (NIST SP 800-90A, without derivation function) as the generators of
 * NIST's post-quantum call for submissions use it: a call of 0 bytes changes the state too. */
extern const struct source source_drbg;

/* HQC's: SHAKE256 of the seed and a byte 1. */
extern const struct source source_hqc;

/* "surf": Bernstein, "Random-number generation", 1997, on the counter 1, 2, 3, ... and the
 * first 32 digits of pi. It starts once, and has no seed. */
void surf_draw(unsigned char *x, unsigned long long length);

#endif
