/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The first call of libgcrypt. CPU features that CYCLOMETER_GCRYPT_DENY names, separated by colons,
 * are switched off before it (libgcrypt manual, GCRYCTL_DISABLE_HWF); a name that this version does
 * not know is of code that it does not have. */
#ifndef LIBGCRYPT_START_H
#define LIBGCRYPT_START_H

#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>

static inline const char *start_library(void)
{
    static const char *version;
    if (version) return version;
    const char *names = getenv("CYCLOMETER_GCRYPT_DENY");
    while (names && *names) {
        char name[32];
        const size_t length = strcspn(names, ":");
        if (length < sizeof name) {
            memcpy(name, names, length);
            name[length] = 0;
            gcry_control(GCRYCTL_DISABLE_HWF, name, NULL);
        }
        names += length + (names[length] == ':');
    }
    return version = gcry_check_version(NULL);
}

#endif
