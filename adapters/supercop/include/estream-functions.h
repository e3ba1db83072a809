/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The functions of an eSTREAM cipher. Its ecrypt-sync.h includes this file at the end, after its
 * own definitions. The names are in the implementation's namespace. No include guard, because
 * ecrypt-sync.h has one around its own part. */

#undef ECRYPT_API
#define ECRYPT_API
#include "ecrypt-portable.h"

#if defined(ECRYPT_VARIANT) && defined(ECRYPT_MAXVARIANT) && (ECRYPT_VARIANT > ECRYPT_MAXVARIANT)
#error this variant does not exist
#endif

#ifdef __cplusplus
extern "C" {
#endif

#undef ECRYPT_init
#undef ECRYPT_keysetup
#undef ECRYPT_ivsetup
#define ECRYPT_init CRYPTO_NAMESPACE(ECRYPT_init)
#define ECRYPT_keysetup CRYPTO_NAMESPACE(ECRYPT_keysetup)
#define ECRYPT_ivsetup CRYPTO_NAMESPACE(ECRYPT_ivsetup)
void ECRYPT_init(void);
void ECRYPT_keysetup(ECRYPT_ctx *ctx, const u8 *key, u32 keysize, u32 ivsize); /* sizes in bits */
void ECRYPT_ivsetup(ECRYPT_ctx *ctx, const u8 *iv);

/* action: 0 encrypts, 1 decrypts. */
#undef ECRYPT_process_bytes
#undef ECRYPT_encrypt_bytes
#undef ECRYPT_decrypt_bytes
#ifdef ECRYPT_HAS_SINGLE_BYTE_FUNCTION
#define ECRYPT_process_bytes CRYPTO_NAMESPACE(ECRYPT_process_bytes)
void ECRYPT_process_bytes(int action, ECRYPT_ctx *ctx, const u8 *input, u8 *output, u32 msglen);
#define ECRYPT_encrypt_bytes(ctx, input, output, msglen) ECRYPT_process_bytes(0, ctx, input, output, msglen)
#define ECRYPT_decrypt_bytes(ctx, input, output, msglen) ECRYPT_process_bytes(1, ctx, input, output, msglen)
#else
#define ECRYPT_encrypt_bytes CRYPTO_NAMESPACE(ECRYPT_encrypt_bytes)
#define ECRYPT_decrypt_bytes CRYPTO_NAMESPACE(ECRYPT_decrypt_bytes)
void ECRYPT_encrypt_bytes(ECRYPT_ctx *ctx, const u8 *plaintext, u8 *ciphertext, u32 msglen);
void ECRYPT_decrypt_bytes(ECRYPT_ctx *ctx, const u8 *ciphertext, u8 *plaintext, u32 msglen);
#endif

#undef ECRYPT_keystream_bytes
#ifdef ECRYPT_GENERATES_KEYSTREAM
#define ECRYPT_keystream_bytes CRYPTO_NAMESPACE(ECRYPT_keystream_bytes)
void ECRYPT_keystream_bytes(ECRYPT_ctx *ctx, u8 *keystream, u32 length);
#endif

#undef ECRYPT_process_packet
#undef ECRYPT_encrypt_packet
#undef ECRYPT_decrypt_packet
#ifdef ECRYPT_HAS_SINGLE_PACKET_FUNCTION
#define ECRYPT_process_packet CRYPTO_NAMESPACE(ECRYPT_process_packet)
void ECRYPT_process_packet(int action, ECRYPT_ctx *ctx, const u8 *iv, const u8 *input, u8 *output, u32 msglen);
#define ECRYPT_encrypt_packet(ctx, iv, input, output, msglen) ECRYPT_process_packet(0, ctx, iv, input, output, msglen)
#define ECRYPT_decrypt_packet(ctx, iv, input, output, msglen) ECRYPT_process_packet(1, ctx, iv, input, output, msglen)
#else
#define ECRYPT_encrypt_packet CRYPTO_NAMESPACE(ECRYPT_encrypt_packet)
#define ECRYPT_decrypt_packet CRYPTO_NAMESPACE(ECRYPT_decrypt_packet)
void ECRYPT_encrypt_packet(ECRYPT_ctx *ctx, const u8 *iv, const u8 *plaintext, u8 *ciphertext, u32 msglen);
void ECRYPT_decrypt_packet(ECRYPT_ctx *ctx, const u8 *iv, const u8 *ciphertext, u8 *plaintext, u32 msglen);
#endif

#undef ECRYPT_process_blocks
#undef ECRYPT_encrypt_blocks
#undef ECRYPT_decrypt_blocks
#undef ECRYPT_keystream_blocks
#ifdef ECRYPT_USES_DEFAULT_BLOCK_MACROS
#define ECRYPT_encrypt_blocks(ctx, input, output, blocks) \
    ECRYPT_encrypt_bytes(ctx, input, output, (blocks) * ECRYPT_BLOCKLENGTH)
#define ECRYPT_decrypt_blocks(ctx, input, output, blocks) \
    ECRYPT_decrypt_bytes(ctx, input, output, (blocks) * ECRYPT_BLOCKLENGTH)
#ifdef ECRYPT_GENERATES_KEYSTREAM
#define ECRYPT_keystream_blocks(ctx, keystream, blocks) \
    ECRYPT_keystream_bytes(ctx, keystream, (blocks) * ECRYPT_BLOCKLENGTH)
#endif
#else
#undef ECRYPT_HAS_SINGLE_BLOCK_FUNCTION
#define ECRYPT_HAS_SINGLE_BLOCK_FUNCTION
#define ECRYPT_process_blocks CRYPTO_NAMESPACE(ECRYPT_process_blocks)
void ECRYPT_process_blocks(int action, ECRYPT_ctx *ctx, const u8 *input, u8 *output, u32 blocks);
#define ECRYPT_encrypt_blocks(ctx, input, output, blocks) ECRYPT_process_blocks(0, ctx, input, output, blocks)
#define ECRYPT_decrypt_blocks(ctx, input, output, blocks) ECRYPT_process_blocks(1, ctx, input, output, blocks)
#ifdef ECRYPT_GENERATES_KEYSTREAM
#define ECRYPT_keystream_blocks CRYPTO_NAMESPACE(ECRYPT_keystream_blocks)
void ECRYPT_keystream_blocks(ECRYPT_ctx *ctx, u8 *keystream, u32 blocks);
#endif
#endif

#ifdef __cplusplus
}
#endif
