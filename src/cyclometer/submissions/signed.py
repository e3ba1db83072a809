# SPDX-License-Identifier: MIT OR Apache-2.0
"""Submissions over HTTP: signed by their sender, taken by a collection whose keys they are."""

from __future__ import annotations

import base64
from collections.abc import Collection

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cyclometer import signing
from cyclometer.errors import BadSignature, RefusedFile, first_line
from cyclometer.submissions.queue import Queue

NAMESPACE = "submission@cyclometer"


def signature_of(content: bytes, key: Ed25519PrivateKey) -> str:
    """Return the signature of an archive, in the format of `ssh-keygen -Y sign`, as base64."""
    return base64.b64encode(signing.sign(content, key, NAMESPACE).encode("ascii")).decode("ascii")


def taken(queue: Queue, trusted: Collection[str], content: bytes, name: str, signature: str) -> str:
    """Put what arrived into the queue and return its number; `RefusedFile` if its sender is not trusted."""
    try:
        armoured = base64.b64decode(signature, validate=True).decode("ascii")
        signer = signing.verify(content, armoured, NAMESPACE)
    except (BadSignature, ValueError) as error:
        raise RefusedFile(f"its signature is not right: {first_line(error)}") from None
    if signer not in trusted:
        raise RefusedFile(f"the key {signing.fingerprint(signer)} is not trusted here")
    return queue.add(content, name).id
