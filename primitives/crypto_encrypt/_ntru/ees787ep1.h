/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EES787EP1; what the names mean stands in scheme.h. */
#define NTRU_N 787
#define NTRU_Q 587
#define NTRU_DF 140
#define NTRU_DG 393
#define NTRU_DR 140
#define NTRU_B 32
#define NTRU_ROOM 65
#define NTRU_INDEX_BITS 12
#define NTRU_OID 0x00, 0x06, 0x01
#define NTRU_HASH_INIT sha256_init
