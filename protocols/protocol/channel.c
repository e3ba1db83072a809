/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets over a socket, or through a queue in memory. */
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define MAX_PACKET (64 << 20) /* a length beyond this is garbage */
#define LENGTH 4              /* bytes of the length that a packet on a stream begins with */

const char *trouble_text(enum trouble trouble)
{
    static const char *const texts[] = {"nothing",
                                        "the other end closed the connection",
                                        "the other end sent nothing for 2 s",
                                        "a packet was refused",
                                        "the answer belongs to another call or is malformed",
                                        "a packet could not be made",
                                        "the packet is too long for the transport"};
    return texts[trouble];
}

/* Makes room for `bytes` from the start of the buffer. */
static int reserve(struct channel *channel, size_t bytes)
{
    if (channel->start && channel->start + bytes > channel->capacity) {
        memmove(channel->buffer, channel->buffer + channel->start, channel->have - channel->start);
        channel->have -= channel->start;
        channel->start = 0;
    }
    if (bytes <= channel->capacity) return 0;
    uint8_t *grown = realloc(channel->buffer, bytes);
    if (!grown) return -1;
    channel->buffer = grown;
    channel->capacity = bytes;
    return 0;
}

static size_t bytes_left(const struct channel *channel)
{
    return channel->have - channel->start;
}

static size_t packet_bytes(const struct channel *channel)
{
    return LENGTH + (size_t)get_le(channel->buffer + channel->start, LENGTH);
}

int channel_holds_packet(const struct channel *channel)
{
    if (channel->datagrams) return 0;
    return bytes_left(channel) >= LENGTH && bytes_left(channel) >= packet_bytes(channel);
}

/* Reads what is there. */
static enum trouble fill(struct channel *channel, int flags)
{
    account->system_calls++;
    const ssize_t n =
        recv(channel->fd, channel->buffer + channel->have, channel->capacity - channel->have, flags | MSG_NOSIGNAL);
    if (n > 0) {
        channel->have += (size_t)n;
        return NO_TROUBLE;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return PEER_STALLED;
    if (n < 0 && errno == EINTR) return NO_TROUBLE;
    return PEER_DIED;
}

/* The socket takes no more: waits until it does, and meanwhile takes what arrives, so that two ends that both send
 * cannot wait for each other. */
static enum trouble await_room(struct channel *channel)
{
    struct pollfd wanted = {.fd = channel->fd, .events = POLLOUT | POLLIN};
    account->system_calls++;
    if (poll(&wanted, 1, STALL_SECONDS * 1000) <= 0) return PEER_STALLED;
    if (channel->datagrams || !(wanted.revents & POLLIN)) return NO_TROUBLE;
    if (reserve(channel, bytes_left(channel) + (1 << 16))) return TOO_LONG;
    return fill(channel, MSG_DONTWAIT) == PEER_DIED ? PEER_DIED : NO_TROUBLE;
}

static enum trouble into_queue(struct channel *to, const uint8_t *packet, size_t n)
{
    const size_t bytes = bytes_left(to) + sizeof n + n;
    if (to->have + sizeof n + n > to->capacity && reserve(to, bytes < (1 << 16) ? 1 << 16 : 2 * bytes)) return TOO_LONG;
    memcpy(to->buffer + to->have, &n, sizeof n);
    memcpy(to->buffer + to->have + sizeof n, packet, n);
    to->have += sizeof n + n;
    return NO_TROUBLE;
}

enum trouble channel_send(struct channel *channel, const uint8_t *packet, size_t n)
{
    account->wire_bytes += n;
    if (channel->fd < 0) return into_queue(channel->peer, packet, n);
    while (n) {
        account->system_calls++;
        const ssize_t sent = send(channel->fd, packet, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EMSGSIZE) return TOO_LONG;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS)) {
            const enum trouble trouble = await_room(channel);
            if (trouble) return trouble;
        } else if (sent < 0 && errno != EINTR) {
            return PEER_DIED;
        } else if (sent > 0) {
            packet += sent;
            n -= (size_t)sent;
        }
    }
    return NO_TROUBLE;
}

static enum trouble from_queue(struct channel *channel, uint8_t **packet, size_t *n)
{
    if (bytes_left(channel) < sizeof *n) return PEER_STALLED;
    memcpy(n, channel->buffer + channel->start, sizeof *n);
    *packet = channel->buffer + channel->start + sizeof *n;
    channel->start += sizeof *n + *n;
    if (channel->start == channel->have) channel->start = channel->have = 0; /* what was read stays in place */
    return NO_TROUBLE;
}

static enum trouble datagram(struct channel *channel, uint8_t **packet, size_t *n)
{
    channel->start = channel->have = 0;
    if (reserve(channel, 1 << 16)) return TOO_LONG;
    const enum trouble trouble = fill(channel, 0);
    *packet = channel->buffer;
    *n = channel->have;
    return trouble;
}

enum trouble channel_receive(struct channel *channel, uint8_t **packet, size_t *n)
{
    if (channel->fd < 0) return from_queue(channel, packet, n);
    if (channel->datagrams) return datagram(channel, packet, n);
    if (!bytes_left(channel)) channel->start = channel->have = 0;
    while (!channel_holds_packet(channel)) {
        const size_t wanted = bytes_left(channel) >= LENGTH ? packet_bytes(channel) : LENGTH;
        if (wanted > MAX_PACKET) return PACKET_REFUSED;
        if (reserve(channel, wanted + (1 << 12))) return TOO_LONG;
        const enum trouble trouble = fill(channel, 0);
        if (trouble) return trouble;
    }
    *packet = channel->buffer + channel->start;
    *n = packet_bytes(channel);
    channel->start += *n;
    return NO_TROUBLE;
}
