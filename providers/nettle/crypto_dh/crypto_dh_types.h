/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROVIDER_MONTGOMERY
#define crypto_dh_OWN_DRAWING 1
#endif
