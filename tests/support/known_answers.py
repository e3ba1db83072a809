# SPDX-License-Identifier: MIT OR Apache-2.0
"""Known answers of NIST's post-quantum generators for a toy KEM, computed with an independent AES.

The toy is insecure: the public key is the masked secret key, the ciphertext the random bytes of the session key
XORed with the public key. It still passes the property tests of crypto_kem.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

TOY_KEM = """
#include <stdint.h>
#include <randombytes.h>
#include "mask.h"
int @keypair(uint8_t *pk, uint8_t *sk)
{
    randombytes(sk, 32);
    for (int i = 0; i < 32; i++) pk[i] = sk[i] ^ mask(i);
    return 0;
}
int @enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk)
{
    randombytes(ct, 32);
    for (int i = 0; i < 32; i++) ss[i] = (uint8_t)(ct[i] + i), ct[i] ^= pk[i];
    return 0;
}
int @dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk)
{
    for (int i = 0; i < 32; i++) ss[i] = (uint8_t)((ct[i] ^ sk[i] ^ mask(i)) + i);
    return 0;
}
"""
# Its decapsulation returns the session key that was encapsulated last, whatever the ciphertext.
FORGETS_THE_CIPHERTEXT = (
    TOY_KEM.replace("int @keypair", "static uint8_t last[32];\nint @keypair")
    .replace("ct[i] ^= pk[i]", "last[i] = ss[i] ^ pk[i], ct[i] ^= pk[i]")
    .replace("(uint8_t)((ct[i] ^ sk[i] ^ mask(i)) + i)", "last[i] ^ sk[i] ^ mask(i)")
)
MASK_HEADER = "#include <stdint.h>\nuint8_t mask(int i);\n"
MASK = '#include "mask.h"\nuint8_t mask(int i)\n{\n    return (uint8_t)(0x55 ^ 7 * i);\n}\n'


class Drbg:
    """AES-256-CTR-DRBG of NIST SP 800-90A without derivation function."""

    def __init__(self, seed: bytes) -> None:
        self.key, self.v = bytes(32), 0
        self._update(seed)

    def _block(self) -> bytes:
        self.v = (self.v + 1) % (1 << 128)
        aes = Cipher(algorithms.AES(self.key), modes.ECB()).encryptor()
        return aes.update(self.v.to_bytes(16, "big"))

    def _update(self, seed: bytes) -> None:
        mixed = bytes(a ^ b for a, b in zip(b"".join(self._block() for _ in range(3)), seed, strict=True))
        self.key, self.v = mixed[:32], int.from_bytes(mixed[32:], "big")

    def draw(self, length: int) -> bytes:
        """Generate `length` bytes by one call."""
        output = b"".join(self._block() for _ in range(-(-length // 16)))[:length]
        self._update(bytes(48))
        return output


def toy_records(number: int) -> str:
    """Format the first records of PQCkemKAT_32.rsp, an empty line after each."""
    outer, text = Drbg(bytes(range(48))), ""
    for count in range(number):
        seed = outer.draw(48)
        inner = Drbg(seed)
        sk = inner.draw(32)
        pk = bytes(byte ^ 0x55 ^ 7 * i % 256 for i, byte in enumerate(sk))
        r = inner.draw(32)
        ct = bytes(a ^ b for a, b in zip(r, pk, strict=True))
        ss = bytes((byte + i) % 256 for i, byte in enumerate(r))
        fields = {"count": str(count), "seed": seed, "pk": pk, "sk": sk, "ct": ct, "ss": ss}
        for name, value in fields.items():
            text += f"{name} = {value.hex().upper() if isinstance(value, bytes) else value}\n"
        text += "\n"
    return text
