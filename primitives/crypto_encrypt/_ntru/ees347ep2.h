/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EES347EP2; what the names mean stands in scheme.h. */
#define NTRU_N 347
#define NTRU_Q 269
#define NTRU_DF 66
#define NTRU_DG 173
#define NTRU_DR 66
#define NTRU_B 14
#define NTRU_ROOM 28
#define NTRU_INDEX_BITS 14
#define NTRU_OID 0x00, 0x02, 0x02
#define NTRU_HASH_INIT sha1_init
