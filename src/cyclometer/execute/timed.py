# SPDX-License-Identifier: MIT OR Apache-2.0
"""Calls the verbs of an executable and accepts only what its harness wrote.

The records end with a keyed hash over all of them (harness/runtime/record_tag.c). If anything
else was written to the stream, the hash does not match and no record is accepted.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from cyclometer.execute import sandbox
from cyclometer.execute.conversation import Conversation, conversation
from cyclometer.execute.page_copies import PageCopies
from cyclometer.execute.seccomp import Policy
from cyclometer.records.executable import Executable
from cyclometer.records.failure import FailureKind

PERF_COUNTERS = "perf_"  # the files in harness/counters that use perf_event_open
KEY_BYTES, HASH_BYTES = 32, 16
TAMPERED = "wrote to the record stream: the authentication tag does not match"
_TAG = b"tag\t"
_FAILED = b"verdict\tfailed\t"
_FINDING = re.compile(rb"SUMMARY: (\w+Sanitizer: [\w-]+)|runtime error: ([^\n]+)")
_CHECKS = ("answer", "check", "oracle")  # verbs in which every call is watched
_AT_ITS_END = " after its last call, at its end"
_CANNOT_REPORT = 4  # exit status of the harness (harness/runtime/main.c, records.c)


def call(
    executable: Executable,
    *words: str,
    limits: sandbox.Limits | None = None,
    cpu: int | None = None,
    stdin: bytes = b"",
    copies: PageCopies | None = None,
    padding: int = 0,
    fixed_addresses: bool = False,
) -> sandbox.Outcome:
    """Run a verb of the executable in the sandbox; return its records, whose authentication tag has been verified.

    It reads its files from `copies`, if there are any. The environment is larger by `padding` bytes; with
    `fixed_addresses` the kernel does not randomise them.
    `problem` and `kind` of the outcome tell that the tag does not match, or what a `verdict failed` record says.
    """
    limits = limits or sandbox.Limits()
    prepared = PreparedCall(
        executable,
        *words,
        limits=limits,
        cpu=cpu,
        copies=copies,
        padding=padding,
        fixed_addresses=fixed_addresses,
    )
    return prepared.outcome(stdin)


class PreparedCall:
    """A call whose process has been started: it waits for its key, before constructors run.

    Call `outcome` or `end`.
    """

    def __init__(
        self,
        executable: Executable,
        *words: str,
        limits: sandbox.Limits,
        cpu: int | None = None,
        copies: PageCopies | None = None,
        padding: int = 0,
        fixed_addresses: bool = False,
    ) -> None:
        self._executable, self._key = executable, secrets.token_bytes(KEY_BYTES)
        self._unsent = self._key
        with ExitStack() as stack:
            self._program = sandbox.start(
                [*executable.compiler.emulator, str(executable.path), "authenticated", *words],
                limits=replace(limits, cpu_signals=words[0] in _CHECKS),
                cpu=cpu,
                environment={
                    **dict(executable.compiler.environment),
                    **({"PADDING": "x" * padding} if padding else {}),
                },
                visible=[executable.path, *executable.loads, *_plugins(executable)],
                copies=stack.enter_context(_in_place_of_files(executable, copies)),
                policy=_policy(executable),
                abi=executable.compiler.abi,
                fixed_addresses=fixed_addresses,
            )
            self._held = stack.pop_all()  # its copies, until it has ended

    def begin(self, cpu: int | None = None) -> None:
        """Let it run without further input, on the core `cpu`, to which it is moved; `OSError` if it cannot be."""
        self._program.begin(self._key, cpu)
        self._unsent = b""

    def outcome(self, stdin: bytes = b"", ended: Callable[[], None] = lambda: None) -> sandbox.Outcome:
        """Return what `call` does, when it has ended; `ended` is called as soon as it has."""
        with self._held:
            outcome = self._program.outcome(self._unsent + stdin, ended)
        return _with_finding(_verified(outcome, self._key), self._executable)

    def end(self) -> None:
        """Kill the process."""
        with self._held:
            self._program.end()


@contextmanager
def converse(
    executable: Executable, *words: str, limits: sandbox.Limits, cpu: int | None, copies: PageCopies | None = None
) -> Iterator[Conversation]:
    """Start a verb of the executable that answers line by line. It reads its files from `copies`, if there are any."""
    with (
        _in_place_of_files(executable, copies) as files,
        conversation(
            [*executable.compiler.emulator, str(executable.path), *words],
            limits=limits,
            cpu=cpu,
            environment=dict(executable.compiler.environment),
            visible=[executable.path, *_plugins(executable)],
            copies=files,
            policy=_policy(executable),
            abi=executable.compiler.abi,
        ) as started,
    ):
        yield started


def _in_place_of_files(executable: Executable, copies: PageCopies | None) -> AbstractContextManager[dict[Path, Path]]:
    return copies.of(executable) if copies else nullcontext({})


def _plugins(executable: Executable) -> list[Path]:
    return [Path(word) for word in executable.compiler.emulator if word.endswith(".so")]


def _policy(executable: Executable) -> Policy:
    if executable.compiler.emulator or executable.compiler.unlimited:
        return Policy.EMULATE
    if executable.has_peer:
        return Policy.TALK
    return Policy.COUNT if executable.counter.startswith(PERF_COUNTERS) else Policy.COMPUTE


def _verified(outcome: sandbox.Outcome, key: bytes) -> sandbox.Outcome:
    records, newline, last = outcome.stdout.removesuffix(b"\n").rpartition(b"\n")
    records += newline
    if not last.startswith(_TAG):  # a process that was killed could not write its tag
        if outcome.status == _CANNOT_REPORT:
            return replace(outcome, problem="closes or redirects the stream of records, or uses its memory up")
        if outcome.problem:
            ended = any(line.startswith(_TAG) for line in records.splitlines())
            return replace(outcome, problem=f"{outcome.problem}{_AT_ITS_END if ended else ''}")
        problem = "ends early, with exit status 0"
        return replace(outcome, stdout=b"", problem=problem, kind=FailureKind.NO_VERDICT)
    tag = hashlib.blake2s(records, key=key, digest_size=HASH_BYTES).hexdigest().encode()
    if hmac.compare_digest(last.removeprefix(_TAG), tag):
        return _with_verdict(replace(outcome, stdout=records))
    return replace(outcome, stdout=b"", problem=TAMPERED, kind=FailureKind.TAMPERED_RECORDS)


def _with_verdict(outcome: sandbox.Outcome) -> sandbox.Outcome:
    """Return the outcome with the kind and the text of its `verdict failed` record, if there is one."""
    record = next((line for line in outcome.stdout.splitlines() if line.startswith(_FAILED)), None)
    if record is None:
        return replace(outcome, problem=outcome.problem and f"{outcome.problem}{_AT_ITS_END}")
    _, _, kind, case, text = record.decode(errors="replace").split("\t", 4)
    return replace(outcome, problem=f"{case}: {text}", kind=FailureKind[kind])


def _with_finding(outcome: sandbox.Outcome, executable: Executable) -> sandbox.Outcome:
    """Return the outcome of a process that a sanitizer ended with what it found."""
    is_watched = outcome.problem and executable.compiler.sanitizer_flags
    found = _FINDING.search(outcome.stderr) if is_watched else None
    if not found:
        return outcome
    text = next(group for group in found.groups() if group).decode(errors="replace")
    return replace(outcome, problem=f"{outcome.problem}: {text}")
