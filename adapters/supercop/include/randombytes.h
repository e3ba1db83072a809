/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef randombytes_h
#define randombytes_h

#ifdef __cplusplus
extern "C" {
#endif

/* x[0 .. xlen - 1] = random bytes, given by the harness. */
void randombytes(unsigned char *x_, unsigned long long xlen_);

#ifdef __cplusplus
}
#endif

#endif
