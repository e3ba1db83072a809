/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Headers that most glue files here include, directly or through other headers of the library. */
#include <botan/cipher_mode.h>
#include <botan/mac.h>
#include <botan/pubkey.h>
#include <cstring>
#include <memory>
#include <string>
