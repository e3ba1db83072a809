/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_NONCEAUTH_TYPES_H
#define CRYPTO_NONCEAUTH_TYPES_H

#ifndef PROVIDER_ONESHOT
#define crypto_nonceauth_KEYED 1
#define crypto_nonceauth_RELEASES 1
typedef struct {
    void *mac; /* the library's object is key and state in one */
} crypto_nonceauth_key;
typedef crypto_nonceauth_key crypto_nonceauth_state;
#endif

#endif
