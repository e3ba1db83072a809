# SPDX-License-Identifier: MIT OR Apache-2.0
"""Signatures that anybody checks with OpenSSH: `ssh-keygen -Y verify` (docs/competition.md).

    make_key(Path("organiser"))
    key = read_key(Path("organiser"))
    signature = sign(content, key, "competition@cyclometer")
    signer = verify(content, signature, "competition@cyclometer")    # "ssh-ed25519 AAAA..."

A namespace keeps a signature for one purpose from being taken for another.
"""

from cyclometer.signing.keys import fingerprint, make_key, public_line, read_key
from cyclometer.signing.sshsig import sign, verify
from cyclometer.signing.trust import TrustedFile, TrustedKey, read_trusted, refusal

__all__ = [
    "TrustedFile",
    "TrustedKey",
    "fingerprint",
    "make_key",
    "public_line",
    "read_key",
    "read_trusted",
    "refusal",
    "sign",
    "verify",
]
