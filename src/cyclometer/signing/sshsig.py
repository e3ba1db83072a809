# SPDX-License-Identifier: MIT OR Apache-2.0
"""The signature format of `ssh-keygen -Y sign`, as OpenSSH's PROTOCOL.sshsig defines it, with Ed25519 and SHA-512.

A string is its length in 4 bytes, big-endian, then its bytes. What is signed is

    "SSHSIG" string(namespace) string("") string("sha512") string(SHA-512 of the content)

and the file is, in base64 between two lines,

    "SSHSIG" 1 (4 bytes) string(public key) string(namespace) string("") string("sha512")
    string(string("ssh-ed25519") string(signature))
"""

from __future__ import annotations

import base64
import binascii
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cyclometer.errors import BadSignature
from cyclometer.signing.keys import public_key, public_line

_MAGIC = b"SSHSIG"
_VERSION = (1).to_bytes(4, "big")
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_LINE = 70  # characters of base64 in a line, as OpenSSH writes them
_HASH = b"sha512"
_KEY_TYPE = b"ssh-ed25519"
_PARTS = 5  # strings after the version


def sign(content: bytes, key: Ed25519PrivateKey, namespace: str) -> str:
    """Return the signature as the text of a .sig file."""
    blob = base64.b64decode(public_line(key).split()[1])
    signature = _string(_KEY_TYPE) + _string(key.sign(_signed(content, namespace)))
    parts = (blob, namespace.encode(), b"", _HASH, signature)
    return _armoured(_MAGIC + _VERSION + b"".join(map(_string, parts)))


def verify(content: bytes, signature: str, namespace: str) -> str:
    """Return the public line of the key that signed; raise `BadSignature` unless it signed exactly this content.

    Whether that key is trusted is for the caller to say.
    """
    blob, own_namespace, _, digest, inner = _parts(signature)
    if own_namespace != namespace.encode():
        raise BadSignature(f"the signature is for {own_namespace.decode(errors='replace')!r}, not {namespace!r}")
    kind, raw = _strings(inner, 2)
    if digest != _HASH or kind != _KEY_TYPE:
        raise BadSignature("the signature is not of Ed25519 with SHA-512")
    line = f"{_KEY_TYPE.decode()} {base64.b64encode(blob).decode('ascii')}"
    try:
        public_key(line).verify(raw, _signed(content, namespace))
    except InvalidSignature:
        raise BadSignature("the signature does not belong to this content") from None
    return line


def _signed(content: bytes, namespace: str) -> bytes:
    digest = hashlib.sha512(content).digest()
    return _MAGIC + b"".join(map(_string, (namespace.encode(), b"", _HASH, digest)))


def _armoured(packed: bytes) -> str:
    text = base64.b64encode(packed).decode("ascii")
    lines = [text[at : at + _LINE] for at in range(0, len(text), _LINE)]
    return "\n".join([_BEGIN, *lines, _END, ""])


def _parts(signature: str) -> list[bytes]:
    lines = signature.split()
    text = " ".join(lines)
    if not (text.startswith(_BEGIN) and text.endswith(_END)):
        raise BadSignature("there is no SSH signature in it")
    try:
        packed = base64.b64decode("".join(text[len(_BEGIN) : -len(_END)].split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadSignature("the signature is damaged: not base64") from None
    start = _MAGIC + _VERSION
    if not packed.startswith(start):
        raise BadSignature("the signature is not of version 1")
    if _armoured(packed) != signature:  # other lines, or bits that mean nothing: nobody's signature has them
        raise BadSignature("the signature is damaged: not as OpenSSH writes it")
    return _strings(packed[len(start) :], _PARTS)


def _string(content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + content


def _strings(packed: bytes, count: int) -> list[bytes]:
    """Return the strings of a packed sequence, which must be exactly `count`."""
    found: list[bytes] = []
    at = 0
    while at < len(packed) and len(found) < count:
        end = at + 4 + int.from_bytes(packed[at : at + 4], "big")
        found.append(packed[at + 4 : end])
        at = end
    if len(found) != count or at != len(packed):
        raise BadSignature("the signature is damaged: it ends too early, or too late")
    return found
