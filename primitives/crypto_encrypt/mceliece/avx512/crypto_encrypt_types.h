/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define crypto_encrypt_COMPLETES 1 /* from the support and the Goppa polynomial */
