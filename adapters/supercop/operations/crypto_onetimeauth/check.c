/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of a foreign crypto_onetimeauth: the authenticator depends on key and message
 * alone, verify accepts it and none that is changed, nothing is written outside the buffers. */
#include "crypto_onetimeauth.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_onetimeauth checked_call(crypto_onetimeauth)
#define crypto_onetimeauth_verify checked_call(crypto_onetimeauth_verify)

#define TAG crypto_onetimeauth_BYTES
#define KEY crypto_onetimeauth_KEYBYTES
#define AUTH crypto_onetimeauth
#define AUTH_VERIFY crypto_onetimeauth_verify
#include "check_mac.h"

void operation_info(void)
{
    record_info("tag_bytes", TAG);
    record_info("key_bytes", KEY);
}

static void forgeries(size_t length)
{
    forge_authenticators(length);
    for (size_t i = 0; i < length && !harness_lenient; i++) {
        const uint8_t change = random_bit();
        harness_case("length %zu, message byte %zu changed", length, i);
        message[i] ^= change;
        if (accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
        message[i] ^= change;
    }
}

void operation_check(void)
{
    try_authenticators(NULL, forgeries);
}

int operation_answer(const char *verb)
{
    return strcmp(verb, "authenticate") ? -1 : answer_authenticator();
}
