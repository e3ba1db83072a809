/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_SIGN_TYPES_H
#define CRYPTO_SIGN_TYPES_H

#define crypto_sign_STATEFUL 1

#endif
