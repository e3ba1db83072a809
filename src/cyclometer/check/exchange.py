# SPDX-License-Identifier: MIT OR Apache-2.0
"""Lets two implementations use each other's keys: a signature of the one must be valid for the other.

This is for implementations whose outputs cannot be compared, because their random bytes do not come from the harness or
are used in their own way. Otherwise, keys that only their own code accepts would pass. The requests are [[exchange]] of
operation.toml. Key pairs of such an implementation must also differ from process to process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cyclometer.check.vectors import answer_of, difference, limits
from cyclometer.execute import keypair_cache
from cyclometer.execute.timed import call
from cyclometer.records.catalogue import ExchangeStep, Primitive
from cyclometer.records.executable import Executable
from cyclometer.records.failure import FailureKind
from cyclometer.untrusted import shortened
from cyclometer.vectors.templates import FIELD, VectorRequest, is_hex

MESSAGE_BYTES = 59
NONCE_BYTE = 7  # of which a nonce consists


def exchange(
    one: Executable, other: Executable, steps: Sequence[ExchangeStep], sizes: Mapping[str, int], seconds: float
) -> str:
    """Return what does not fit together, or ''. A process that takes longer than `seconds` says nothing."""
    known = {"message": bytes(range(MESSAGE_BYTES)).hex(), "nonce": f"{NONCE_BYTE:02x}" * sizes.get("nonce_bytes", 0)}
    for number, step in enumerate(steps):
        executable = other if number % 2 else one
        line = FIELD.sub(lambda found: known[found[1]], step.ask)
        outcome = call(executable, "answer", stdin=f"{line}\n".encode(), limits=limits(executable.compiler, seconds))
        if outcome.kind is FailureKind.TIME_LIMIT:
            return ""
        verb, answer = line.split()[0], answer_of(outcome)
        if not is_hex(answer):
            return f"{verb}: answers {shortened(answer or outcome.problem)!r}"
        _learn(known, step.answer, answer, sizes)
        if wrong := difference(VectorRequest(line=line, expect=step.answer, vector=known, optional=False), answer):
            return f"{verb}: {wrong}"
    return ""


def repeats_its_keys(
    executable: Executable, steps: Sequence[ExchangeStep], primitive: Primitive, seconds: float
) -> bool:
    """Return whether two processes draw the same public key although the harness gives them different random bytes.

    The first one may be the process of the property tests, if it has recorded its first key pair because that was slow.
    """
    own = next((step for step in steps if step.ask.startswith("own_")), None)
    if own is None:
        return False
    first = keypair_cache.public_key(executable) or _public_key(executable, own, primitive, seconds, seed=1)
    return bool(first) and first == _public_key(executable, own, primitive, seconds, seed=2)


def _public_key(executable: Executable, own: ExchangeStep, primitive: Primitive, seconds: float, *, seed: int) -> str:
    """Return a new public key in hexadecimal, or all that was answered if its size is not known; '' if nothing."""
    known = {"message": bytes(MESSAGE_BYTES).hex()}
    line = FIELD.sub(lambda found: known[found[1]], own.ask)
    stdin = f"seed {seed}\n{line}\n".encode()
    answer = answer_of(call(executable, "answer", stdin=stdin, limits=limits(executable.compiler, seconds)))
    key = 2 * primitive.sizes.get("public_key_bytes", len(answer))  # all answers begin with it
    return answer[:key] if is_hex(answer) else ""


def _learn(known: dict[str, str], template: str, answer: str, sizes: Mapping[str, int]) -> None:
    """Add the fields of an answer that are not known; the last one is the rest of it."""
    at, names = 0, FIELD.findall(template)
    for name in names:
        kind = name.removeprefix("peer_")
        end = len(answer) if name == names[-1] else at + 2 * sizes[f"{kind}_bytes"]
        known.setdefault(name, answer[at:end])
        at = end
