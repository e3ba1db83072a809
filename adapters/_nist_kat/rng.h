/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RNG_H
#define RNG_H

/* The sources of random bytes for the known answers of post-quantum packages. Each is a
 * `random_function` of harness.h. */

#include <stdint.h>

#define SEED_BYTES 48

struct source {
    const char *name;
    void (*start)(const uint8_t *seed); /* SEED_BYTES */
    void (*draw)(unsigned char *x, unsigned long long length);
};

/* AES-256-CTR-DRBG (NIST SP 800-90A, without derivation function) as the generators of NIST's
 * post-quantum call for submissions use it: a call for 0 bytes changes the state, too. */
extern const struct source source_drbg;

/* The generator of HQC: SHAKE256 of the seed followed by a byte 1. */
extern const struct source source_hqc;

/* "surf": Bernstein, "Random-number generation", 1997, on the counter 1, 2, 3, ... and the first
 * 32 digits of pi. It is started once and takes no seed. */
void surf_draw(unsigned char *x, unsigned long long length);

#endif
