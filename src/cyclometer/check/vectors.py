# SPDX-License-Identifier: MIT OR Apache-2.0
"""Published vectors: the executable is asked, the expected bytes stay here.

The format is that of docs/vectors.md ("cyclometer-vectors/1"); what to ask is
data of the operation ([[vectors]] in operation.toml).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

from cyclometer.errors import BadVectors
from cyclometer.execute import sandbox
from cyclometer.execute.timed import call
from cyclometer.records.catalogue import Compiler, Operation, Primitive
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.vectors.estream import SUFFIX, read_stream_vectors
from cyclometer.vectors.nist_kat import operation_of, read_known_answers
from cyclometer.vectors.templates import ABSENT, FIELD, HEX, REJECTED, Vector, VectorRequest, requests, validation_error

SECONDS = 60.0  # a process may take, unless the user says otherwise
CHECKER_FILES = 16 * sandbox.MEGABYTE  # valgrind keeps its notes in the sandbox's /tmp
EMULATION_FACTOR = 10  # times, at the least, is an emulated or an instrumented program


@dataclass(frozen=True, kw_only=True)
class VectorFile:
    """A vector file, validated as far as its format says."""

    path: Path
    operation: str
    system: str
    vectors: tuple[dict[str, Any], ...]


def read_vectors(path: Path, operations: Mapping[str, Operation] | None = None) -> VectorFile:
    """BadVectors names the file and what is wrong. Known answers of NIST's lightweight call and
    eSTREAM's test vectors, which are text, are read too; the name of the former says of which of the operations."""
    if path.suffix == SUFFIX:
        return VectorFile(
            path=path, operation="crypto_stream", system=path.parent.name, vectors=read_stream_vectors(path)
        )
    if path.suffix == ".txt":
        operation = operation_of(path, operations or {})
        if not operation:
            raise BadVectors(f"{path}: a .txt must be named like LWC_AEAD_KAT_128_128.txt (see docs/vectors.md)")
        return _known_answers(path, operation)
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
    return VectorFile(path=path, operation=content["operation"], system=content["system"], vectors=tuple(vectors))


def _known_answers(path: Path, operation: str) -> VectorFile:
    return VectorFile(path=path, operation=operation, system=path.parent.name, vectors=read_known_answers(path))


def vectors_of(path: Path, primitive: Primitive) -> VectorFile:
    """A primitive's own file. eSTREAM's have vectors of every size of key and IV; only those of the
    primitive's are taken."""
    if path.suffix == ".txt":
        return _known_answers(path, primitive.operation)
    file = read_vectors(path)
    if path.suffix != SUFFIX:
        return file
    sizes = {name: primitive.sizes.get(f"{name}_bytes") for name in ("key", "nonce")}
    fitting = [v for v in file.vectors if all(size in (None, len(v[name]) // 2) for name, size in sizes.items())]
    return replace(file, vectors=tuple(fitting))


def validate(file: VectorFile, operation: Operation, primitive: Primitive) -> None:
    """BadVectors for the first vector that cannot be asked, or has a field that is no hex, no number,
    or not of the primitive's size."""
    for label, vector in _labelled(file):
        if words := validation_error(operation.vectors, vector, primitive.sizes):
            raise BadVectors(f"{file.path}: vector {label}: {words}")


def limits(compiler: Compiler, seconds: float) -> sandbox.Limits:
    """What one process of that compiler's may use."""
    return sandbox.Limits(
        seconds=seconds * (EMULATION_FACTOR if compiler.emulator or compiler.unlimited else 1),
        memory=None if compiler.unlimited else sandbox.Limits.memory,
        files=CHECKER_FILES if compiler.checker_flags else 0,
    )


@dataclass(frozen=True)
class VectorRequests:
    """All that is to be asked of a vector file, each with the label of its vector."""

    path: Path
    requests: tuple[tuple[str, VectorRequest], ...]


def all_requests(file: VectorFile, operation: Operation) -> VectorRequests:
    """Of vectors that must fit."""
    every = ((label, request) for label, v in _labelled(file) for request in requests(operation.vectors, v))
    return VectorRequests(file.path, tuple(every))


def check_vectors(executable: Executable, file: VectorRequests, seconds: float = SECONDS) -> Failure | None:
    """Asks all vectors of one executable; the first difference is the failure."""
    asked = file.requests
    outcome = call(
        executable,
        "answer",
        stdin="".join(f"{request.line}\n" for _, request in asked).encode(),
        limits=limits(executable.compiler, seconds),
    )
    answers = [
        line.partition("\t")[2]
        for line in outcome.stdout.decode(errors="replace").splitlines()
        if line.startswith("answer\t")
    ]
    for (label, request), answer in zip(asked, answers, strict=False):
        if words := difference(request, answer):
            verb = request.line.split()[0]
            return _failure(executable, _kind(request, answer), f"vector {label} of {file.path.name}: {verb}: {words}")
    if len(answers) < len(asked):
        kind, words = ending(outcome)
        reason = f"vector {asked[len(answers)][0]} of {file.path.name}: {words}"
        return _failure(executable, kind, reason, outcome.last_words())
    return None


def ending(outcome: sandbox.Outcome) -> tuple[FailureKind, str]:
    """The kind of failure of a process without the answer or the verdict expected, and the reason, with the remedy
    if there is one."""
    if outcome.kind is FailureKind.TIME_LIMIT:
        return outcome.kind, f"{outcome.problem} (--time-limit gives it more)"
    return outcome.kind or FailureKind.NO_VERDICT, outcome.problem or "ends without an answer"


def _kind(request: VectorRequest, answer: str) -> FailureKind:
    """The kind of a wrong answer."""
    if request.expect == REJECTED:
        return FailureKind.FORGERY_ACCEPTED
    named = {REJECTED: FailureKind.VALID_REJECTED, ABSENT: FailureKind.FUNCTION_MISSING}
    return named.get(answer, FailureKind.WRONG_OUTPUT)


def _failure(executable: Executable, kind: FailureKind, reason: str, detail: str = "") -> Failure:
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=detail)


def _labelled(file: VectorFile) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, vector in enumerate(file.vectors):
        yield str(vector.get("id", f"#{number}")), vector


def difference(request: VectorRequest, answer: str) -> str:
    """'' when the answer is as the vector says; otherwise the first difference in words."""
    if answer == ABSENT and request.optional:
        return ""
    if request.expect == REJECTED:
        return "" if answer == REJECTED else f"answers {answer[:32]!r} to what is not valid"
    if not HEX.fullmatch(answer):
        return f"answers {answer!r}"
    rest = bytes.fromhex(answer)
    vector, names = request.vector, FIELD.findall(request.expect)
    for place, name in enumerate(names):
        size = len(rest) if place == len(names) - 1 else len(str(vector.get(name, ""))) // 2
        part, rest = rest[:size], rest[size:]
        if complaint := _field_difference(name, vector, part):
            return complaint
    return ""


def _field_difference(name: str, vector: Vector, got: bytes) -> str:
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
