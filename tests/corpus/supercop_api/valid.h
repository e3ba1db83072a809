#define CRYPTO_BYTES 16
/* a comment */
#define CRYPTO_VERSION "1"
