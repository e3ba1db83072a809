/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue in memory: client and server take turns in one process, so that no kernel is between them. */
#include "protocol.h"

TRANSPORT(queue) = {.name = "queue", .datagrams = 1, .in_process = 1};
