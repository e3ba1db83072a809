/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EES491EP1; what the names mean stands in scheme.h. */
#define NTRU_N 491
#define NTRU_Q 367
#define NTRU_DF 91
#define NTRU_DG 245
#define NTRU_DR 91
#define NTRU_B 20
#define NTRU_ROOM 40
#define NTRU_INDEX_BITS 9
#define NTRU_OID 0x00, 0x04, 0x01
#define NTRU_HASH_INIT sha256_init
