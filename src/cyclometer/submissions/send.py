# SPDX-License-Identifier: MIT OR Apache-2.0
"""Submissions over HTTP: signed by their sender, taken by a collection whose keys they are."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Collection

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cyclometer import signing
from cyclometer.errors import BadSignature, CyclometerError, RefusedFile, first_line
from cyclometer.submissions.queue import Queue

NAMESPACE = "submission@cyclometer"
SIGNATURE = "X-Signature"
"""The header with the signature of the archive, in the format of `ssh-keygen -Y sign`, as base64."""

SECONDS = 600


def send(content: bytes, name: str, url: str, key: Ed25519PrivateKey) -> str:
    """Hand an archive to the server of a collection; return the submission's number there."""
    query = urllib.parse.urlencode({"name": name})
    request = urllib.request.Request(f"{url.rstrip('/')}/submissions?{query}", data=content, method="POST")
    signature = signing.sign(content, key, NAMESPACE)
    request.add_header(SIGNATURE, base64.b64encode(signature.encode("ascii")).decode("ascii"))
    request.add_header("Content-Type", "application/x-tar")
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return str(json.loads(answer.read(1 << 20))["submission"])
    except urllib.error.HTTPError as error:
        raise CyclometerError(f"{url} refuses the submission: {_reason(error)}") from None
    except (OSError, ValueError, KeyError) as error:
        raise CyclometerError(f"{url} does not take submissions: {first_line(error)}") from None


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


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read(1 << 16))["refused"])
    except (ValueError, KeyError):
        return f"HTTP status {error.code}"
