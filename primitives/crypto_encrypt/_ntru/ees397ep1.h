/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EES397EP1; what the names mean stands in scheme.h. */
#define NTRU_N 397
#define NTRU_Q 307
#define NTRU_DF 74
#define NTRU_DG 198
#define NTRU_DR 74
#define NTRU_B 16
#define NTRU_ROOM 32
#define NTRU_INDEX_BITS 16
#define NTRU_OID 0x00, 0x03, 0x01
#define NTRU_HASH_INIT sha1_init
