/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A stream socket of the Unix family. */
#include <sys/socket.h>

#include "protocol.h"

static int pair(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

TRANSPORT(unix) = {.name = "unix", .pair = pair};
