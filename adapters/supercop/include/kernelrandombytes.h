/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef kernelrandombytes_h
#define kernelrandombytes_h

#ifdef __cplusplus
extern "C" {
#endif

/* x[0 .. xlen - 1] = random bytes of the operating system, in SUPERCOP; here
 * the harness's deterministic ones. */
void kernelrandombytes(unsigned char *x_, unsigned long long xlen_);

#ifdef __cplusplus
}
#endif

#endif
