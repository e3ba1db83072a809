/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define crypto_sign_BATCH 1
