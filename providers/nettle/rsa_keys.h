/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA keys: pk = n, sk = n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p, each of RSA_BYTES bytes.
 * Define RSA_BYTES and RSA_E before the #include. */

#include <nettle/rsa.h>

typedef struct {
    struct rsa_public_key public;
    struct rsa_private_key secret;
} rsa_key;

static void rsa_release(rsa_key *key)
{
    rsa_public_key_clear(&key->public);
    rsa_private_key_clear(&key->secret);
}

static void rsa_begin(rsa_key *key)
{
    rsa_public_key_init(&key->public);
    rsa_private_key_init(&key->secret);
    mpz_set_ui(key->public.e, RSA_E);
}

static int rsa_keypair(unsigned char *pk, unsigned char *sk)
{
    rsa_key key;
    rsa_begin(&key);
    int failed = !rsa_generate_keypair(&key.public, &key.secret, NULL, visible, NULL, NULL, 8 * RSA_BYTES, 0);
    mpz_ptr numbers[] = {key.public.n, key.public.e, key.secret.d, key.secret.p,
                         key.secret.q, key.secret.a, key.secret.b, key.secret.c};
    for (size_t i = 0; i < 8 && !failed; i++) failed = number_write(sk + i * RSA_BYTES, RSA_BYTES, numbers[i]);
    rsa_release(&key);
    if (!failed) memcpy(pk, sk, RSA_BYTES);
    return failed;
}

static int rsa_public(rsa_key *key, const unsigned char *pk)
{
    rsa_begin(key);
    number_read(key->public.n, pk, RSA_BYTES);
    return rsa_public_key_prepare(&key->public) && key->public.size == RSA_BYTES ? 0 : -1;
}

static int rsa_secret(rsa_key *key, const unsigned char *sk)
{
    if (rsa_public(key, sk)) return -1;
    mpz_ptr numbers[] = {key->secret.d, key->secret.p, key->secret.q, key->secret.a, key->secret.b, key->secret.c};
    for (size_t i = 0; i < 6; i++) number_read(numbers[i], sk + (i + 2) * RSA_BYTES, RSA_BYTES);
    return rsa_private_key_prepare(&key->secret) ? 0 : -1;
}
