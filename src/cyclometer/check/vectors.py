# SPDX-License-Identifier: MIT OR Apache-2.0
"""Published vectors: the executable is asked, the expected bytes stay here.

The format is that of docs/vectors.md ("cyclometer-vectors/1"); what to ask is
data of the operation ([[vectors]] in operation.toml).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from cyclometer import process
from cyclometer.errors import BadVectors
from cyclometer.model import Compiler, Executable, Failure, Operation, Primitive

SECONDS = 60.0  # a process may take, unless the user says otherwise
SLOWER = 10  # times, at the least, is an emulated or an instrumented program
LONGEST = 1 << 28  # bytes of one field

_FIELD = re.compile(r"\{(\w+)\}")
_HEX = re.compile(r"([0-9a-f]{2})*")


@dataclass(frozen=True, kw_only=True)
class VectorFile:
    """A vector file, validated as far as its format says."""

    path: Path
    operation: str
    system: str
    vectors: tuple[dict[str, Any], ...]


def read_vectors(path: Path) -> VectorFile:
    """BadVectors names the file and what is wrong."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadVectors(f"{path}: cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadVectors(f"{path}: not JSON: {error}") from None
    if not isinstance(content, dict) or content.get("format") != "cyclometer-vectors/1":
        raise BadVectors(f'{path}: "format" is not "cyclometer-vectors/1" (see docs/vectors.md)')
    vectors = content.get("vectors")
    if not isinstance(vectors, list) or not vectors or not all(isinstance(v, dict) for v in vectors):
        raise BadVectors(f'{path}: "vectors" is not a list of objects')
    for name in ("operation", "system"):
        if not isinstance(content.get(name), str):
            raise BadVectors(f'{path}: "{name}" is missing')
    return VectorFile(
        path=path, operation=content["operation"], system=content["system"], vectors=tuple(vectors)
    )


def must_fit(file: VectorFile, operation: Operation, primitive: Primitive) -> None:
    """BadVectors for the first field that is no hex, no number, or not of the primitive's size."""
    fields = {name for vector in operation.vectors for text in vector for name in _FIELD.findall(text)}
    for label, vector in _labelled(file):
        for name in sorted(fields):
            if complaint := _misfit(vector, name, primitive.sizes.get(f"{name}_bytes")):
                raise BadVectors(f"{file.path}: vector {label}: {complaint}")


def _misfit(vector: dict[str, Any], name: str, size: int | None) -> str:
    zeroes, value = vector.get(f"{name}_zero_bytes", 0), vector.get(name, "")
    if not _is_count(zeroes):
        return f"{name}_zero_bytes is {zeroes!r}, not a number of bytes"
    if not isinstance(value, str):
        return "" if size is None and _is_count(value) else f"{name} is {value!r}, neither hex nor a number of bytes"
    if not _HEX.fullmatch(value):
        return f"{name} is not lower-case hex, two digits a byte"
    if size is not None and f"{name}_sha256" not in vector and len(value) // 2 + zeroes != size:
        return f"{name} has {len(value) // 2 + zeroes} bytes instead of {size}"
    chunks = vector.get("chunks", {})
    if not isinstance(chunks, dict) or not all(
        offset.isdigit() and isinstance(chunk, str) and _HEX.fullmatch(chunk) for offset, chunk in chunks.items()
    ):
        return "chunks is not {offset: hex}"
    return ""


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= LONGEST


def limits(compiler: Compiler, seconds: float) -> process.Limits:
    """What one process of that compiler's may use."""
    return process.Limits(
        seconds=seconds * (SLOWER if compiler.emulator or compiler.unlimited else 1),
        memory=None if compiler.unlimited else process.Limits.memory,
    )


def check_vectors(
    executable: Executable, operation: Operation, file: VectorFile, seconds: float = SECONDS
) -> Failure | None:
    """Asks all vectors of one executable, which must fit it; the first difference is the failure."""
    asked = [(label, *question) for label, v in _labelled(file) for question in _questions(operation, v)]
    outcome = process.run(
        [*executable.compiler.emulator, str(executable.path), "answer"],
        stdin="".join(f"{ask}\n" for _, ask, _, _ in asked).encode(),
        limits=limits(executable.compiler, seconds),
        environment=dict(executable.compiler.environment),
        visible=[executable.path.parent],
    )
    answers = [
        line.partition("\t")[2]
        for line in outcome.stdout.decode(errors="replace").splitlines()
        if line.startswith("answer\t")
    ]
    for (label, ask, expect, vector), answer in zip(asked, answers, strict=False):
        if complaint := _difference(expect, vector, answer):
            return _failure(executable, f"vector {label} of {file.path.name}: {ask.split()[0]}: {complaint}")
    if len(answers) < len(asked):
        reason = verdict(outcome) or outcome.problem or "stops answering"
        return _failure(
            executable, f"vector {asked[len(answers)][0]} of {file.path.name}: {reason}", outcome.last_words()
        )
    return None


def verdict(outcome: process.Outcome) -> str:
    """The reason of a `verdict failed` record, or ''."""
    for line in outcome.stdout.decode(errors="replace").splitlines():
        if line.startswith("verdict\tfailed\t"):
            return line.split("\t", 2)[2]
    return ""


def _failure(executable: Executable, reason: str, detail: str = "") -> Failure:
    return Failure(stage="check", subject=executable.subject, reason=reason, detail=detail)


def _labelled(file: VectorFile) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, vector in enumerate(file.vectors):
        yield str(vector.get("id", f"#{number}")), vector


def _questions(operation: Operation, vector: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(request line, expected template, vector) for all that can be asked of this vector."""
    vector = dict(vector)
    for name in [name for name in vector if name.endswith("_zero_bytes")]:
        vector[name.removesuffix("_zero_bytes")] = "00" * int(vector[name])
    for ask, expect in operation.vectors:
        if _long_answer_in(ask, vector):
            continue
        words = [_filled(word, vector) or "-" for word in ask.split()]
        yield " ".join(words), expect, vector


def _long_answer_in(ask: str, vector: dict[str, Any]) -> bool:
    """Whether a question needs bytes of which the vector has only the hash."""
    return any(name not in vector and f"{name}_sha256" in vector for name in _FIELD.findall(ask))


def _filled(template: str, vector: dict[str, Any]) -> str:
    return _FIELD.sub(lambda match: str(vector.get(match[1], "")), template)


def _difference(expect: str, vector: dict[str, Any], answer: str) -> str:
    """'' when the answer is as the vector says; otherwise the first difference in words."""
    if not _HEX.fullmatch(answer):
        return f"answers {answer!r}"
    rest = bytes.fromhex(answer)
    names = _FIELD.findall(expect)
    for place, name in enumerate(names):
        size = len(rest) if place == len(names) - 1 else len(str(vector.get(name, ""))) // 2
        part, rest = rest[:size], rest[size:]
        if complaint := _field_difference(name, vector, part):
            return complaint
    return ""


def _field_difference(name: str, vector: dict[str, Any], got: bytes) -> str:
    """Compares with the field itself, else with the digests that stand for a long one."""
    if isinstance(vector.get(name), str):
        want = bytes.fromhex(vector[name])
        return "" if got == want else _first_difference(name, want, got)
    digests = [d for d in (f"{name}_sha256", "sha256") if d in vector]
    for digest in digests:
        if hashlib.sha256(got).hexdigest() != vector[digest]:
            return f"the SHA-256 of {name} differs"
    chunks = vector.get("chunks", {})
    for offset, chunk in chunks.items():
        want = bytes.fromhex(chunk)
        if got[int(offset) : int(offset) + len(want)] != want:
            return f"{name} differs in the {len(want)} bytes at {offset}"
    if "xor_digest_64" in vector and _xor_digest(got).hex() != vector["xor_digest_64"]:
        return f"the XOR digest of {name} differs"
    return "" if digests or chunks or not got else f"the vector says nothing of {name}"


def _first_difference(name: str, want: bytes, got: bytes) -> str:
    if len(want) != len(got):
        return f"{name} has {len(got)} bytes instead of {len(want)}"
    at = next(i for i in range(len(want)) if want[i] != got[i])
    return f"{name} differs at byte {at}: {got[at : at + 8].hex()}... instead of {want[at : at + 8].hex()}..."


def _xor_digest(data: bytes) -> bytes:
    pieces: Sequence[bytes] = [data[i : i + 64].ljust(64, b"\0") for i in range(0, len(data), 64)]
    return reduce(lambda x, y: bytes(a ^ b for a, b in zip(x, y, strict=True)), pieces, bytes(64))
