# SPDX-License-Identifier: MIT OR Apache-2.0
"""Submissions over HTTP: signed by their sender, taken by a collection whose keys they are."""

from __future__ import annotations

import base64
import datetime
from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cyclometer import signing
from cyclometer.errors import BadSignature, RefusedFile, first_line
from cyclometer.submissions.queue import Queue

NAMESPACE = "submission@cyclometer"
DAY = datetime.timedelta(days=1)


def signature_of(content: bytes, key: Ed25519PrivateKey) -> str:
    """Return the signature of an archive, in the format of `ssh-keygen -Y sign`, as base64."""
    return base64.b64encode(signing.sign(content, key, NAMESPACE).encode("ascii")).decode("ascii")


def taken(
    queue: Queue, trusted: Iterable[signing.TrustedKey], per_day: int, content: bytes, name: str, signature: str
) -> str:
    """Put what arrived into the queue and return its number.

    What the same key has sent before is not queued again, so that nobody who has seen a submission on its way can use
    up the sender's quota with copies of it; the answer is the number that it has. `RefusedFile` if its sender is not
    trusted, or has sent `per_day` within 24 hours.
    """
    try:
        armoured = base64.b64decode(signature, validate=True).decode("ascii")
        signer = signing.verify(content, armoured, NAMESPACE)
    except (BadSignature, ValueError) as error:
        raise RefusedFile(f"its signature is not right: {first_line(error)}") from None
    if reason := signing.refusal(trusted, signer, NAMESPACE):
        raise RefusedFile(reason)
    sender = signing.fingerprint(signer)
    if number := queue.sent_before(sender, content):
        return number
    if queue.sent_by(sender, within=DAY) >= per_day:
        raise RefusedFile(f"this key has sent {per_day} submissions within a day, the most that it may")
    return queue.add(content, name, sender).id
