# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a call of a rung consists of: how often each part is called, with which lengths; and the grids for these."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cyclometer.execute import timed
from cyclometer.execute.sandbox import Limits
from cyclometer.protocols.rungs import AEAD, BLOCK, CIPHER, Rung
from cyclometer.records.executable import Executable
from cyclometer.records.run import Size

REPETITIONS = 3
COUNTING_SECONDS = 120.0
_PREFIX = "calls:"

# A function of a part -> the measure of each operation that may be this part.
_MEASURES = {
    "mac.authenticate": {"crypto_auth": "auth", "crypto_nonceauth": "nonceauth"},
    "cipher.encrypt": {CIPHER: "encrypt"},
    "cipher.decrypt": {CIPHER: "decrypt"},
    "aead.encrypt": {AEAD: "encrypt"},
    "aead.decrypt": {AEAD: "decrypt"},
    "block.encrypt": {BLOCK: "encrypt"},
}


@dataclass(frozen=True, kw_only=True)
class PartCall:
    """Calls of one part in one RPC."""

    function: str  # such as cipher.encrypt
    length: int
    ad_length: int
    count: int

    def measure(self, operation: str) -> str:
        """Return the measure of the operation that times such a call; '' if another operation is called."""
        return _MEASURES[self.function].get(operation, "")


Calls = Mapping[str, Mapping[int, Sequence[PartCall]]]
"""Rung -> payload -> the calls of its parts."""


def count_calls(executable: Executable, *, payloads: Sequence[int], transports: Sequence[str]) -> list[Size]:
    """Let a rung count what a call consists of: calls of its parts, and system calls, bytes ... over each transport.

    What a rung cannot count, such as a datagram that is too long, is left out.
    """
    requests = [f"calls {payload}" for payload in payloads]
    requests += [f"count-{transport} {payload}" for transport in transports for payload in payloads]
    stdin = "".join(f"{request}\n" for request in requests).encode()
    outcome = timed.call(executable, "answer", stdin=stdin, limits=Limits(seconds=COUNTING_SECONDS))
    records = (line.split("\t") for line in outcome.stdout.decode(errors="replace").splitlines())
    sizes = [Size(subject=executable.subject, name=r[1], value=int(r[2])) for r in records if r[0] == "info"]
    return [*sizes, Size(subject=executable.subject, name="code_bytes", value=executable.code_bytes)]


def calls_in(sizes: Iterable[Size]) -> Calls:
    """Read the records `calls:PAYLOAD:FUNCTION:LENGTH:AD_LENGTH` that the rungs print."""
    result: dict[str, dict[int, list[PartCall]]] = defaultdict(lambda: defaultdict(list))
    for size in sizes:
        if size.name.startswith(_PREFIX):
            payload, function, length, ad_length = size.name.removeprefix(_PREFIX).split(":")
            call = PartCall(function=function, length=int(length), ad_length=int(ad_length), count=size.value)
            result[size.subject.primitive][int(payload)].append(call)
    return result


def grids_for(rungs: Sequence[Rung], calls: Calls, payloads: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """Return, by the key of a part, the grid lines that measure every call of it."""
    lines: dict[str, set[tuple[str, int, int]]] = defaultdict(set)
    for rung in rungs:
        for payload in payloads:
            for call, key in calls_of(rung, calls, payload):
                lines[key].add((call.measure(key.partition("/")[0]), call.length, call.ad_length))
    return {
        key: tuple(
            f"{measure} length={length} ad_length={ad_length} repetition=1-{REPETITIONS}"
            for measure, length, ad_length in sorted(points)
        )
        for key, points in lines.items()
    }


def calls_of(rung: Rung, calls: Calls, payload: int) -> list[tuple[PartCall, str]]:
    """Return the calls in one RPC of a rung, each with the key of the part that is called."""
    each = calls.get(rung.name, {}).get(payload, ())
    return [(call, key) for call in each for key in rung.parts if call.measure(key.partition("/")[0])]
