/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EES251EP6; what the names mean stands in scheme.h. */
#define NTRU_N 251
#define NTRU_Q 197
#define NTRU_DF 48
#define NTRU_DG 125
#define NTRU_DR 48
#define NTRU_B 10
#define NTRU_ROOM 20
#define NTRU_INDEX_BITS 8
#define NTRU_OID 0x00, 0x01, 0x06
#define NTRU_HASH_INIT sha1_init
