/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_hash_h
#define crypto_hash_h
/* The hash function of NIST's lightweight call, for packages that contain their own hash function. */
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen);
#endif
