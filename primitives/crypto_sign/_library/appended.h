/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Systems without message recovery: crypto_sign_BYTES of signature in front of the message.
 * Before: signature_make and signature_holds, 0 is success. */

static int family_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                       void *handle)
{
    if (signature_make(sm, m, mlen, handle)) return -1;
    if (mlen) memcpy(sm + crypto_sign_BYTES, m, (size_t)mlen);
    *smlen = crypto_sign_BYTES + mlen;
    return 0;
}

static int family_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                       void *handle)
{
    if (smlen < crypto_sign_BYTES) return -1;
    *mlen = smlen - crypto_sign_BYTES;
    if (signature_holds(sm, sm + crypto_sign_BYTES, *mlen, handle)) return -1;
    if (*mlen) memcpy(m, sm + crypto_sign_BYTES, (size_t)*mlen);
    return 0;
}
