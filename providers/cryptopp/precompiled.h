/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Headers that most glue files here include, directly or through other headers of the library. */
#include <cryptopp/aes.h>
#include <cryptopp/algparam.h>
#include <cryptopp/cryptlib.h>
#include <cryptopp/modes.h>
#include <cryptopp/secblock.h>
#include <cstring>
