/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* UDP on the loopback interface. */
#include "loopback.h"
#include "protocol.h"

#define ROOM (4 << 20) /* bytes that a socket may hold; the system may grant less */

static int pair(int ends[2])
{
    struct sockaddr_in address[2];
    const int room = ROOM;
    for (int i = 0; i < 2; i++)
        if ((ends[i] = loopback_socket(SOCK_DGRAM, &address[i])) < 0) return -1;
    for (int i = 0; i < 2; i++) {
        (void)setsockopt(ends[i], SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
        (void)setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
        if (connect(ends[i], (struct sockaddr *)&address[1 - i], sizeof address[0])) return -1;
    }
    return 0;
}

TRANSPORT(udp) = {.name = "udp", .datagrams = 1, .pair = pair};
