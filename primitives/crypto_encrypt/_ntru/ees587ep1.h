/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EES587EP1; what the names mean stands in scheme.h. */
#define NTRU_N 587
#define NTRU_Q 439
#define NTRU_DF 108
#define NTRU_DG 293
#define NTRU_DR 108
#define NTRU_B 24
#define NTRU_ROOM 48
#define NTRU_INDEX_BITS 11
#define NTRU_OID 0x00, 0x05, 0x01
#define NTRU_HASH_INIT sha256_init
