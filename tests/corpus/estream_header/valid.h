/* Toy */
#define ECRYPT_NAME "Toy"
#define ECRYPT_MAXKEYSIZE 256
#define ECRYPT_KEYSIZE(i) (128 + (i)*128)
#define ECRYPT_MAXIVSIZE 64
#define ECRYPT_IVSIZE(i) (64 + (i)*64)
typedef struct { u32 input[16]; } ECRYPT_ctx;
