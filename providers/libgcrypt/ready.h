/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Initialises libgcrypt without locked memory, which a measured process is not permitted to have. */
#include "start.h"
#include <string.h>

static inline int ready(void)
{
    static int done;
    if (done) return 1;
    if (!start_library()) return 0;
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return done = 1;
}
