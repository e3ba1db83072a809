/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERVE_H
#define SERVE_H

/* Serves one client until it is gone, in the place of our own messages; returns how many calls it made. `ssl` is NULL
 * in the clear. */
#include <openssl/ssl.h>

unsigned serve_library(int fd, SSL *ssl) __attribute__((weak, visibility("default")));

#endif
