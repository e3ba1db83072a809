/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the NTRU implementations offer beyond the three functions. */
#define crypto_encrypt_PUBLISHED_KEYPAIR 1
