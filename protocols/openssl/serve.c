/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The layer as a server for anybody's clients, on 127.0.0.1. Requests to the verb `answer`:
 *
 *   listen        answers the port
 *   certificate   answers the server's certificate, in PEM
 *   serve N       serves N connections, one after the other, and answers how many calls these made */
#define _GNU_SOURCE
#include "serve.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../transports/loopback.h"
#include "harness.h"
#include "session.h"
#include "tls.h"

#define LONGEST (1 << 20)
#define LENGTH 4

static int listener = -1;

/* Reads exactly n bytes; -1 if the client is gone. */
static int read_all(SSL *ssl, uint8_t *out, size_t n)
{
    for (int got; n > 0; out += got, n -= (size_t)got)
        if ((got = SSL_read(ssl, out, (int)n)) <= 0) return -1;
    return 0;
}

/* Calls of our own format: the server answers a message with itself. */
static unsigned echo_messages(SSL *ssl)
{
    static uint8_t message[LENGTH + LONGEST];
    unsigned calls = 0;
    while (!read_all(ssl, message, LENGTH)) {
        const size_t n = (size_t)get_le(message, LENGTH);
        if (n > LONGEST || n < MESSAGE - LENGTH || read_all(ssl, message + LENGTH, n)) break;
        if (get_le(message + 12, 2) != ECHO || SSL_write(ssl, message, (int)(LENGTH + n)) <= 0) break;
        calls++;
    }
    return calls;
}

static unsigned serve_one_client(int fd)
{
    SSL *ssl = TLS_KIND[0] == 'p' ? NULL : tls_accept(fd);
    unsigned calls = 0;
    if (ssl ? SSL_accept(ssl) == 1 : TLS_KIND[0] == 'p')
        calls = serve_library ? serve_library(fd, ssl) : echo_messages(ssl);
    if (ssl) (void)SSL_shutdown(ssl);
    SSL_free(ssl);
    (void)close(fd);
    return calls;
}

static void answer_number(uint64_t number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    answer_word(text);
}

static void start_listening(void)
{
    struct sockaddr_in address;
    listener = loopback_socket(SOCK_STREAM, &address);
    if (listener < 0 || listen(listener, 8)) harness_fail(PEER_FAILED, "no port can be opened");
    answer_number(ntohs(address.sin_port));
}

static void answer_certificate(void)
{
    char *text = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&text, &n);
    if (!file || tls_write_certificate(file) || fclose(file)) harness_fail(PEER_FAILED, "no certificate can be made");
    answer_bytes((const uint8_t *)text, n);
    free(text);
}

static void serve_clients(uint64_t clients)
{
    unsigned calls = 0;
    (void)signal(SIGPIPE, SIG_IGN);
    for (; clients > 0 && !loopback_wait(listener); clients--) calls += serve_one_client(accept(listener, NULL, NULL));
    answer_number(calls);
}

int library_answer(const char *verb);
int library_answer(const char *verb)
{
    if (!strcmp(verb, "listen"))
        start_listening();
    else if (!strcmp(verb, "certificate"))
        answer_certificate();
    else if (!strcmp(verb, "serve"))
        serve_clients(request_number());
    else
        return -1;
    (void)fflush(NULL); /* who asks waits for the answer */
    return 0;
}
