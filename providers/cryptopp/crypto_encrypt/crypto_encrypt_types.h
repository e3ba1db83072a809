/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define crypto_encrypt_OWN_DRAWING 1
