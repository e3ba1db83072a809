/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* TCP on the loopback interface, without Nagle's algorithm: a call waits for its answer, not for more data. */
#include <netinet/tcp.h>

#include "loopback.h"
#include "protocol.h"

static int connected(int listener, const struct sockaddr_in *address, int ends[2])
{
    const int on = 1;
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (ends[0] < 0 || connect(ends[0], (const struct sockaddr *)address, sizeof *address)) return -1;
    ends[1] = accept(listener, NULL, NULL);
    if (ends[1] < 0) return -1;
    for (int i = 0; i < 2; i++)
        if (setsockopt(ends[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)) return -1;
    return 0;
}

static int pair(int ends[2])
{
    struct sockaddr_in address;
    const int listener = loopback_socket(SOCK_STREAM, &address);
    if (listener < 0) return -1;
    const int failed = listen(listener, 1) || connected(listener, &address, ends);
    (void)close(listener);
    return failed ? -1 : 0;
}

TRANSPORT(tcp) = {.name = "tcp", .pair = pair};
