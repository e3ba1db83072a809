/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What most glue files here include, themselves or by other headers of the library. */
#include <cryptopp/aes.h>
#include <cryptopp/algparam.h>
#include <cryptopp/cryptlib.h>
#include <cryptopp/modes.h>
#include <cryptopp/secblock.h>
#include <cstring>
