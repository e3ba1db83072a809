/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_sign by a library whose keys are objects: a key is parsed from its bytes on every call, as the
 * API has it; expanded keys show the cost without that.  Before the #include, give (0 is success)
 *
 *   static int family_keypair(unsigned char *pk, unsigned char *sk);
 *   static void *family_public(const unsigned char *pk);        NULL is failure
 *   static void *family_secret(const unsigned char *sk);
 *   static void family_release_public(void *), family_release_secret(void *);
 *   static int family_sign(sm, smlen, m, mlen, void *secret);   as crypto_sign
 *   static int family_open(m, mlen, sm, smlen, void *public);   as crypto_sign_open
 *
 * and, where the library's random bytes come from randombytes() only while it is told so,
 * library_random(yes) and FAMILY_DRAWS: whether those of a signature shall. */

#ifndef library_random
#define library_random(yes) ((void)0)
#endif

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    library_random(1);
    const int failed = family_keypair(pk, sk);
    library_random(0);
    return failed;
}

int crypto_sign_expand_public(crypto_sign_expanded_public *expanded, const unsigned char *pk)
{
    expanded->key = family_public(pk);
    return expanded->key ? 0 : -1;
}

int crypto_sign_expand_secret(crypto_sign_expanded_secret *expanded, const unsigned char *sk)
{
    expanded->key = family_secret(sk);
    return expanded->key ? 0 : -1;
}

void crypto_sign_release_public(crypto_sign_expanded_public *expanded)
{
    family_release_public(expanded->key);
}

void crypto_sign_release_secret(crypto_sign_expanded_secret *expanded)
{
    family_release_secret(expanded->key);
}

int crypto_sign_expanded(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                         unsigned long long mlen, const crypto_sign_expanded_secret *expanded)
{
    library_random(FAMILY_DRAWS);
    const int failed = family_sign(sm, smlen, m, mlen, expanded->key);
    library_random(0);
    return failed;
}

int crypto_sign_open_expanded(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                              unsigned long long smlen, const crypto_sign_expanded_public *expanded)
{
    return family_open(m, mlen, sm, smlen, expanded->key);
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    crypto_sign_expanded_secret expanded;
    if (crypto_sign_expand_secret(&expanded, sk)) return -1;
    const int failed = crypto_sign_expanded(sm, smlen, m, mlen, &expanded);
    crypto_sign_release_secret(&expanded);
    return failed;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    crypto_sign_expanded_public expanded;
    if (crypto_sign_expand_public(&expanded, pk)) return -1;
    const int failed = crypto_sign_open_expanded(m, mlen, sm, smlen, &expanded);
    crypto_sign_release_public(&expanded);
    return failed;
}
