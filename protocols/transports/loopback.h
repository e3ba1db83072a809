/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef LOOPBACK_H
#define LOOPBACK_H

/* Sockets at 127.0.0.1: nothing leaves the machine. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns a socket bound to a free port of 127.0.0.1, and its address; -1 if the system has none. */
static inline int loopback_socket(int type, struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    const int fd = socket(AF_INET, type, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0) return -1;
    if (bind(fd, (struct sockaddr *)address, size) || getsockname(fd, (struct sockaddr *)address, &size)) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

#define PATIENCE_MS 10000 /* for a client that says nothing */

/* Waits until there is something to read, or a client to accept; -1 if there is nothing for too long. */
static inline int loopback_wait(int fd)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    return poll(&readable, 1, PATIENCE_MS) == 1 ? 0 : -1;
}

#endif
