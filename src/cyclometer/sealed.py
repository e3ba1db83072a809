# SPDX-License-Identifier: MIT OR Apache-2.0
"""Asks a timed executable and believes only what its own harness said.

The records end with a keyed hash over all of them (harness/seal.c); whatever
else reaches the same stream breaks it, and then none of them counts.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import replace

from cyclometer import process
from cyclometer.model import Executable

KEY_BYTES, HASH_BYTES = 32, 16
BROKEN = "prints into its own records: their seal is broken"
_SEAL = b"seal\t"


def ask(
    executable: Executable,
    *words: str,
    limits: process.Limits | None = None,
    cpu: int | None = None,
    stdin: bytes = b"",
) -> process.Outcome:
    """Runs a verb of the executable in the sandbox. `stdout` is the records, their seal verified and taken
    away; `problem` says so when it is broken, whatever else happened."""
    key = secrets.token_bytes(KEY_BYTES)
    outcome = process.run(
        [*executable.compiler.emulator, str(executable.path), "sealed", *words],
        limits=limits,
        cpu=cpu,
        stdin=key + stdin,
        environment=dict(executable.compiler.environment),
        visible=[executable.path.parent],
        foreign=executable.implementation.foreign is not None,
    )
    return _verified(outcome, key)


def _verified(outcome: process.Outcome, key: bytes) -> process.Outcome:
    records, mark, claimed = outcome.stdout.rpartition(_SEAL)
    if not mark:  # a process that was ended from outside could not seal
        return outcome if outcome.problem else replace(outcome, stdout=b"", problem="stops answering")
    true = hashlib.blake2s(records, key=key, digest_size=HASH_BYTES).hexdigest().encode()
    if hmac.compare_digest(claimed.strip(), true):
        return replace(outcome, stdout=records)
    return replace(outcome, stdout=b"", problem=BROKEN)
