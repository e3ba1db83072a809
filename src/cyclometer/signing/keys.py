# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ed25519 keys in the files of OpenSSH."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from cyclometer.errors import BadSignature, CyclometerError, on_disk
from cyclometer.untrusted import MAX_LINE_FILE, read_bytes


def make_key(file: Path) -> str:
    """Write a new private key to `file` and its public key to `file`.pub; return the public line.

    A file that is already there is never replaced.
    """
    if not file.name:
        raise CyclometerError(f"'{file}' is no name for a file; name the new key, such as ./organiser")
    public_file = file.with_name(f"{file.name}.pub")
    for each in (file, public_file):
        if os.path.lexists(each):
            raise CyclometerError(f"{each} exists; name another file for the new key")
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    with on_disk("write", file):
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(private)
        public_file.write_text(f"{public_line(key.public_key())}\n", encoding="ascii")
    return public_line(key.public_key())


def read_key(file: Path) -> Ed25519PrivateKey:
    """Return the private key of a file that `make_key` or `ssh-keygen -t ed25519` wrote, without a passphrase."""
    content = read_bytes(file, limit=MAX_LINE_FILE)
    try:
        key = serialization.load_ssh_private_key(content, password=None)
    except (TypeError, ValueError) as error:
        locked = "passphrase" in str(error) or "password" in str(error).lower()
        remedy = "has a passphrase; remove it from a copy with `ssh-keygen -p`" if locked else "is not an OpenSSH key"
        raise CyclometerError(f"{file} {remedy}; `cyclometer competition key FILE` makes a key") from None
    except UnsupportedAlgorithm:
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise CyclometerError(f"{file} is not an Ed25519 key; `cyclometer competition key FILE` makes one")
    return key


def public_line(key: Ed25519PublicKey | Ed25519PrivateKey) -> str:
    """Return a public key as in a .pub file: ssh-ed25519 and the key in base64."""
    public = key.public_key() if isinstance(key, Ed25519PrivateKey) else key
    return public.public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH).decode("ascii")


def public_key(line: str) -> Ed25519PublicKey:
    """Return the key of a public line. Raises `BadSignature` if it is none."""
    try:
        key = serialization.load_ssh_public_key(line.encode())
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise BadSignature("the key of the signature is not an Ed25519 key")
    return key


def fingerprint(line: str) -> str:
    """Return the fingerprint of a public line as `ssh-keygen -l` prints it: SHA256:..."""
    try:
        blob = base64.b64decode(line.split()[1], validate=True)
    except (IndexError, binascii.Error, ValueError):
        raise BadSignature(f"{line[:60]!r} is not a public key; one begins with ssh-ed25519") from None
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode("ascii").rstrip("=")
