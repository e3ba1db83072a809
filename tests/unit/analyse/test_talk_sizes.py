# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sizes of public-key systems, compared with those in the eBATS talk of 2007.

Keys and ciphertexts are compared with the declarations, which every check of an executable confirms (it writes that
number of bytes between guards); the executables report how much longer a signed message is than its message.

Names and systems that differ from the talk's:

* curve25519-gaudry is curve25519: its scalars were not clamped, sizes are the same.
* nistp256-sss-ultrasparc is nistp256-sss: the same key formats, not for one machine only.
* ecdonaldb163 is on NIST's B-163 (sect163r2); SUPERCOP's is on sect163r1, with numbers of the same length.
* mceliece-1 was only announced; ours is `mceliece` of the same authors, which SUPERCOP has. The talk gives no
  sizes; those here are SUPERCOP's on 64-bit machines (a public key of 32-bit ones has rows of 44 bytes, not 48).
* ronald512 of the talk signs; only ours encrypts more than 53 bytes.
"""

from __future__ import annotations

import pytest

from cyclometer.compile import Builder, Cache, working
from cyclometer.discover import discover
from cyclometer.measure import all_sizes
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.executable import BuildRequest
from support.small_tree import REPOSITORY

# bytes of a field element
CURVES = {
    "p160": 20, "k163": 21, "b163": 21, "p192": 24, "p224": 28, "k233": 30, "b233": 30, "p256": 32,
    "k283": 36, "b283": 36, "p384": 48, "k409": 52, "b409": 52, "p521": 66, "k571": 72, "b571": 72,
}  # fmt: skip
MODULI = (512, 768, 1024, 1536, 2048, 3072, 4096)

# system: (secret key, public key)
KEYS = {
    **{f"crypto_sign/donald{bits}": (bits // 8 + 20, bits // 8) for bits in (512, 1024, 2048)},
    **{f"crypto_sign/ecdonald{curve}": (3 * width, 2 * width) for curve, width in CURVES.items()},
    **{f"crypto_sign/ronald{bits}": (bits, bits // 8) for bits in MODULI},
    "crypto_sign/sflashv2": (2823, 19266),
    "crypto_sign/rainbow": (20107, 31680),
    "crypto_sign/bls": (20, 120),
    "crypto_dh/claus": (256, 128),
    "crypto_dh/claus++": (256, 128),
    "crypto_dh/curve25519": (32, 32),
    "crypto_dh/nistp256-sss": (32, 64),
    "crypto_dh/surf127eps": (32, 48),
    "crypto_encrypt/ntru-enc": (1854, 1574),
    "crypto_encrypt/mceliece": (137282, 81408),
}

# bytes of a shared secret of Diffie-Hellman, or of an encrypted block
SHARED = {"claus": 128, "claus++": 128, "curve25519": 32, "nistp256-sss": 32, "surf127eps": 48}
BLOCKS = {"ntru-enc": 1574, "mceliece": 256}

# implementation: bytes added to a message of 23, 147 and 709 bytes by signing it
OVERHEADS = {
    "donald1024/openssl": (40, 40, 40),
    "donald2048/openssl": (40, 40, 40),
    "ecdonaldp160/openssl": (40, 40, 40),
    "ecdonaldp256/openssl": (64, 64, 64),
    "ecdonaldb571/openssl": (144, 144, 144),
    "ronald1024/openssl": (105, 43, 43),
    "ronald2048/openssl": (233, 109, 43),
    "ronald4096/openssl": (489, 365, 43),
    "sflashv2/ref": (37, 37, 37),
    "rainbow/ref": (43, 43, 43),
    "bls/gmp": (20, 20, 20),
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """Read the whole tree, with one working compiler."""
    found = discover(REPOSITORY, "gcc")
    compilers, _ = working(found.compilers)
    return Catalogue(**{**vars(found), "compilers": tuple(compilers[:1])})


@pytest.mark.parametrize("system", KEYS)
def test_keys_are_as_long_as_in_the_talk(system: str, catalogue: Catalogue) -> None:
    declared = catalogue.primitives[system].sizes
    assert (declared["secret_key_bytes"], declared["public_key_bytes"]) == KEYS[system]


@pytest.mark.parametrize("system", SHARED)
def test_shared_secrets_are_as_long_as_in_the_talk(system: str, catalogue: Catalogue) -> None:
    assert catalogue.primitives[f"crypto_dh/{system}"].sizes["shared_bytes"] == SHARED[system]


@pytest.mark.parametrize("system", BLOCKS)
def test_ciphertexts_of_short_messages_are_as_long_as_published(system: str, catalogue: Catalogue) -> None:
    """`bytes` is the length of the ciphertext of an empty message."""
    assert catalogue.primitives[f"crypto_encrypt/{system}"].sizes["bytes"] == BLOCKS[system]


@pytest.mark.parametrize("which", OVERHEADS)
def test_signed_messages_are_longer_by_as_much_as_in_the_talk(which: str, catalogue: Catalogue) -> None:
    name, implementation = which.split("/")
    [found] = [
        i
        for i in catalogue.implementations
        if (i.operation, i.primitive, i.name) == ("crypto_sign", name, implementation)
    ]
    builder = Builder(
        tree=REPOSITORY, catalogue=catalogue, cache=Cache(), counter="clock_gettime", cpu_flags=(), cpu="any"
    )
    primitive = catalogue.primitives[f"crypto_sign/{name}"]
    built, failures = builder.build(
        [BuildRequest(primitive=primitive, implementation=found, compiler=catalogue.compilers[0])]
    )
    assert failures == []
    result = {size.name: size.value for size in all_sizes(built[:1], lambda: None)}
    assert tuple(result[f"overhead_{length}_bytes"] for length in (23, 147, 709)) == OVERHEADS[which]
    assert (result["secret_key_bytes"], result["public_key_bytes"]) == KEYS[f"crypto_sign/{name}"]
