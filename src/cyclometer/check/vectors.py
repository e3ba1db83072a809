# SPDX-License-Identifier: MIT OR Apache-2.0
"""Published vectors: requests go to the executable, the expected bytes never do.

The format is that of docs/vectors.md ("cyclometer-vectors/1"); the requests are
templates of the operation ([[vectors]] in operation.toml).
"""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

from cyclometer.errors import BadVectors, UnknownName, first_line
from cyclometer.execute import sandbox
from cyclometer.execute.timed import call
from cyclometer.records.catalogue import Compiler, Implementation, Operation, Primitive
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.untrusted import shortened
from cyclometer.vectors.estream import SUFFIX, read_stream_vectors
from cyclometer.vectors.nist_kat import operation_of, read_known_answers
from cyclometer.vectors.templates import (
    ABSENT,
    FIELD,
    REJECTED,
    Vector,
    VectorRequest,
    is_hex,
    requests,
    validation_error,
    vector_text,
)

# A process that ends in these ways cannot tell which answers it has computed.
UNTOLD = frozenset({FailureKind.TIME_LIMIT, FailureKind.KILLED, FailureKind.NO_VERDICT})
SECONDS = 60.0  # limit for one process, unless the user sets another
_SHOWN = 60  # characters of a vector's name
CHECKER_FILES = 16 * sandbox.MEGABYTE  # valgrind writes files to the sandbox's /tmp
EMULATION_FACTOR = 10  # emulated and instrumented programs are at least this many times slower


@dataclass(frozen=True, kw_only=True)
class VectorFile:
    """A vector file whose format has been validated."""

    path: Path
    operation: str
    system: str
    vectors: tuple[dict[str, Any], ...]


def read_vectors(path: Path, operations: Mapping[str, Operation] | None = None) -> VectorFile:
    """Read a vector file; BadVectors names the file and what is wrong.

    Text files are read, too: eSTREAM's test vectors, and the known answers of NIST's lightweight cryptography
    project, whose file name shows which of the `operations` they belong to.
    """
    if path.suffix == SUFFIX:
        return VectorFile(
            path=path, operation="crypto_stream", system=path.parent.name, vectors=read_stream_vectors(path)
        )
    if path.suffix == ".txt":
        operation = operation_of(path, operations or {})
        if not operation:
            raise BadVectors(f"{path}: a .txt must be named like LWC_AEAD_KAT_128_128.txt (see docs/vectors.md)")
        return _known_answers(path, operation)
    content = _json(path)
    if not isinstance(content, dict) or content.get("format") != "cyclometer-vectors/1":
        raise BadVectors(f'{path}: "format" is not "cyclometer-vectors/1" (see docs/vectors.md)')
    vectors = content.get("vectors")
    if not isinstance(vectors, list) or not vectors or not all(isinstance(v, dict) for v in vectors):
        raise BadVectors(f'{path}: "vectors" is not a list of objects')
    for name in ("operation", "system"):
        if not isinstance(content.get(name), str):
            raise BadVectors(f'{path}: "{name}" is missing')
    if operations is not None and content["operation"] not in operations:
        raise BadVectors(f"{path}: {UnknownName('operation', shortened(content['operation']), operations)}")
    return VectorFile(path=path, operation=content["operation"], system=content["system"], vectors=tuple(vectors))


def _json(path: Path) -> Any:
    """Return the content of a JSON file; BadVectors if there is none that Python reads."""
    try:
        return json.loads(vector_text(path))
    except json.JSONDecodeError as error:
        raise BadVectors(f"{path}: not JSON: {first_line(error)}") from None
    except RecursionError:
        raise BadVectors(f"{path}: lists or objects are nested too deep") from None
    except ValueError:  # of an integer with thousands of digits
        raise BadVectors(f"{path}: a number has too many digits; write long values as hex in quotes") from None


def _known_answers(path: Path, operation: str) -> VectorFile:
    return VectorFile(path=path, operation=operation, system=path.parent.name, vectors=read_known_answers(path))


def vectors_of(path: Path, primitive: Primitive) -> VectorFile:
    """Read a vector file of the primitive; of eSTREAM's keep the vectors with the primitive's key and IV sizes."""
    if path.suffix == ".txt":
        return _known_answers(path, primitive.operation)
    file = read_vectors(path)
    if path.suffix != SUFFIX:
        return file
    sizes = {name: primitive.sizes.get(f"{name}_bytes") for name in ("key", "nonce")}
    fitting = [v for v in file.vectors if all(size in (None, len(v[name]) // 2) for name, size in sizes.items())]
    return replace(file, vectors=tuple(fitting))


def vector_files(implementation: Implementation, primitive: Primitive) -> tuple[Path, ...]:
    """Return the files that an implementation is checked with: those of its primitive, then its own."""
    return (*primitive.vectors, *(implementation.foreign.vectors if implementation.foreign else ()))


def has_vectors(implementation: Implementation, primitive: Primitive) -> bool:
    """Return whether an implementation is checked with a vector; a file of eSTREAM's may have none for its sizes."""
    return any(vectors_of(path, primitive).vectors for path in vector_files(implementation, primitive))


def validate(file: VectorFile, operation: Operation, primitive: Primitive) -> None:
    """Raise BadVectors for the first vector that no template fits, or that has a malformed field."""
    for label, vector in _labelled(file):
        if error := validation_error(operation.vectors, vector, primitive.sizes):
            raise BadVectors(f"{file.path}: vector {label}: {error}")


def limits(compiler: Compiler, seconds: float) -> sandbox.Limits:
    """Return the limits for one process of an executable that this compiler built."""
    return sandbox.Limits(
        seconds=seconds * (EMULATION_FACTOR if compiler.emulator or compiler.unlimited else 1),
        memory=None if compiler.unlimited else sandbox.Limits.memory,
        files=CHECKER_FILES if compiler.checker_flags else 0,
    )


@dataclass(frozen=True)
class LabelledRequest:
    """A request with its vector's label and file."""

    label: str
    file: str
    request: VectorRequest

    def __str__(self) -> str:
        return f"vector {self.label} of {self.file}"


def all_requests(file: VectorFile, operation: Operation) -> list[LabelledRequest]:
    """Return the requests of a validated file."""
    return [
        LabelledRequest(label, file.path.name, request)
        for label, vector in _labelled(file)
        for request in requests(operation.vectors, vector)
    ]


def check_vectors(
    executable: Executable, labelled: Sequence[LabelledRequest], seconds: float = SECONDS
) -> Failure | None:
    """Run the requests of one or more files on the executable; return the first wrong or missing answer as a failure.

    One process answers all of them: starting one takes longer than most files do.
    """
    limit = limits(executable.compiler, seconds)
    return unlike_vectors(executable, labelled, call(executable, "answer", stdin=lines_of(labelled), limits=limit))


def lines_of(labelled: Sequence[LabelledRequest]) -> bytes:
    """Return the requests as the standard input of an executable."""
    return "".join(f"{each.request.line}\n" for each in labelled).encode()


def unlike_vectors(
    executable: Executable, labelled: Sequence[LabelledRequest], outcome: sandbox.Outcome
) -> Failure | None:
    """Return the first wrong or missing answer of a process that was given these requests, as a failure."""
    answers = answers_of(outcome)
    for each, answer in zip(labelled, answers, strict=False):
        if text := difference(each.request, answer):
            verb = each.request.line.split()[0]
            return _failure(executable, _kind(each.request, answer), f"{each}: {verb}: {text}")
    if len(answers) < len(labelled):
        kind, text = failure_of(outcome)
        first_unanswered = labelled[len(answers)]
        name = str(first_unanswered)
        if not answers and outcome.kind in UNTOLD:
            name = f"vectors of {first_unanswered.file}"
        return _failure(executable, kind, f"{name}: {text}", outcome.last_words())
    return None


def failure_of(outcome: sandbox.Outcome) -> tuple[FailureKind, str]:
    """Return the kind and the reason of failure of a process that ended without an answer or a verdict."""
    if outcome.kind is FailureKind.TIME_LIMIT:
        return outcome.kind, f"{outcome.problem} (--time-limit gives it more)"
    if outcome.kind is FailureKind.FORBIDDEN_SYSCALL:
        allowed = 'docs/harness.md, "What an executable may not do", says what is allowed'
        return outcome.kind, f"{outcome.problem}; {allowed}"
    return outcome.kind or FailureKind.NO_VERDICT, outcome.problem or "ends without an answer"


def _kind(request: VectorRequest, answer: str) -> FailureKind:
    """Return the kind of a wrong answer."""
    if request.expect == REJECTED:
        return FailureKind.FORGERY_ACCEPTED
    kinds = {REJECTED: FailureKind.VALID_REJECTED, ABSENT: FailureKind.FUNCTION_MISSING}
    return kinds.get(answer.partition(": ")[0], FailureKind.WRONG_OUTPUT)


def _failure(executable: Executable, kind: FailureKind, reason: str, detail: str = "") -> Failure:
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=detail)


def _labelled(file: VectorFile) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, vector in enumerate(file.vectors):
        yield shortened(vector.get("id", f"#{number}"), _SHOWN), vector


def answers_of(outcome: sandbox.Outcome) -> list[str]:
    """Return what the executable answered, in the order of the requests."""
    lines = outcome.stdout.decode(errors="replace").splitlines()
    return [line.partition("\t")[2] for line in lines if line.startswith("answer\t")]


def answer_of(outcome: sandbox.Outcome) -> str:
    """Return the answer to a single request; '' if there is none."""
    return next(iter(answers_of(outcome)), "")


def difference(request: VectorRequest, answer: str) -> str:
    """Return '' if the answer is as expected; otherwise describe the first difference."""
    word, _, why = answer.partition(": ")
    if word == ABSENT and request.optional:
        return ""
    if request.expect == REJECTED:
        return "" if word == REJECTED else f"answers {answer[:32]!r} to an invalid input"
    if not is_hex(answer):
        return f"answers {shortened(word)!r}" + (f": {shortened(why)}" if why else "")
    rest = bytes.fromhex(answer)
    vector, names = request.vector, FIELD.findall(request.expect)
    for index, name in enumerate(names):
        size = len(rest) if index == len(names) - 1 else len(str(vector.get(name, ""))) // 2
        part, rest = rest[:size], rest[size:]
        if text := _field_difference(name, vector, part):
            return text
    return ""


def _field_difference(name: str, vector: Vector, got: bytes) -> str:
    """Compare with the field itself, else with the digests or chunks that replace a long one."""
    if isinstance(vector.get(name), str):
        expected = bytes.fromhex(vector[name])
        return "" if got == expected else _first_difference(name, expected, got)
    digests = [d for d in (f"{name}_sha256", "sha256") if d in vector]
    for digest in digests:
        if hashlib.sha256(got).hexdigest() != vector[digest]:
            return f"the SHA-256 of {name} differs"
    chunks = vector.get("chunks", {})
    for offset, chunk in chunks.items():
        expected = bytes.fromhex(chunk)
        if got[int(offset) : int(offset) + len(expected)] != expected:
            return f"{name} differs in the {len(expected)} bytes at {offset}"
    if "xor_digest_64" in vector and _xor_digest(got).hex() != vector["xor_digest_64"]:
        return f"the XOR digest of {name} differs"
    return "" if digests or any(chunks.values()) or not got else f"the vector has no expected {name}"


def _first_difference(name: str, expected: bytes, got: bytes) -> str:
    if len(expected) != len(got):
        return f"{name} has {len(got)} bytes instead of {len(expected)}"
    at = next(i for i in range(len(expected)) if expected[i] != got[i])
    return f"{name} differs at byte {at}: {got[at : at + 8].hex()}... instead of {expected[at : at + 8].hex()}..."


def _xor_digest(data: bytes) -> bytes:
    """XOR all blocks of 64 bytes, as eSTREAM's test program does."""
    blocks = (data[i : i + 64].ljust(64, b"\0") for i in range(0, len(data), 64))
    return reduce(operator.xor, map(int.from_bytes, blocks), 0).to_bytes(64)
