# SPDX-License-Identifier: MIT OR Apache-2.0
"""The constant-time checker: valgrind's memcheck follows secrets, the disassembly shows what memcheck cannot see.

The verb `secrets` of an executable calls the operation with its secrets marked as uninitialised
(operations/<operation>/secrets.c), so that memcheck reports branches and addresses that depend on them.
Instructions whose own time depends on their operands are listed as well, whether or not a secret reaches them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePath

from cyclometer.check.vectors import limits
from cyclometer.execute import sandbox
from cyclometer.execute.pool import on_all_cores
from cyclometer.execute.timed import call
from cyclometer.records.executable import Executable
from cyclometer.records.failure import (
    ADDRESS_DEPENDS_ON_SECRET,
    BRANCHES_ON_SECRET,
    ConstantTime,
    Failure,
    FailureKind,
    Finding,
    Severity,
)

CONSTANT_TIME_SECONDS = 120.0
_DISASSEMBLE = ["objdump", "-d", "-l", "--no-show-raw-insn"]
MAX_FINDINGS = 12  # of one verdict

UNKNOWN_VERB = 2  # exit status, harness/runtime/main.c
_KINDS = {  # memcheck's messages
    "Conditional jump or move depends on uninitialised value": BRANCHES_ON_SECRET,
    "Use of uninitialised value": ADDRESS_DEPENDS_ON_SECRET,
}
_FRAME = re.compile(r"(?:at|by) 0x[0-9A-F]+: (\S+) \(([^)]*)\)")
# Division, in integers and in floating point, and square roots: slower for some operands than for others.
_VARIABLE = re.compile(r"^\s*[0-9a-f]+:\t(i?div[bwlq]?|v?divs[sd]|v?sqrts[sd]|f(?:i?div\w*|sqrt)|[su]div)\s")
_SOURCE = re.compile(r"^(/\S+|\S+\.\w+):(\d+)")
_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:")


def check_constant_time(
    executables: Sequence[Executable], progress: Callable[[], None] = lambda: None
) -> list[ConstantTime]:
    """Return a verdict on each executable; they must be built for the checker."""
    return on_all_cores(_verdict, executables, progress)


def as_warning(verdict: ConstantTime) -> Failure:
    """Return the verdict as a warning of a run: the findings, or why the executable was not checked."""
    findings = "; ".join(f"{finding.what}: {finding.where}" for finding in verdict.findings)
    reason = verdict.unchecked or findings or "no branch and no address was seen to depend on a secret"
    kind = FailureKind.CONSTANT_TIME if verdict.constant else FailureKind.TIME_DEPENDS_ON_SECRET
    return Failure(
        stage="check",
        subject=verdict.subject,
        kind=FailureKind.NOT_CHECKED if verdict.unchecked else kind,
        reason=f"constant time: {reason}",
        detail=verdict.line,
        severity=Severity.WARNING,
    )


def _verdict(executable: Executable) -> ConstantTime:
    compiler, implementation = executable.compiler, executable.implementation
    outcome = call(executable, "secrets", limits=limits(compiler, CONSTANT_TIME_SECONDS))
    unchecked = ""
    if outcome.problem or b"verdict\tok\t" not in outcome.stdout:
        unchecked = outcome.problem or "the operation has no secrets.c"
        unchecked = "the operation names no secrets" if outcome.status == UNKNOWN_VERB else unchecked
    report = outcome.last_words(1 << 22)
    findings = [*_memcheck_findings(report, implementation.sources), *_variable_time_instructions(executable)]
    return ConstantTime(
        subject=executable.subject,
        line=shlex.join([compiler.command, *compiler.flags]),
        claimed=implementation.constant_time,
        findings=tuple(dict.fromkeys(findings))[:MAX_FINDINGS],
        unchecked=unchecked,
        library=implementation.library,
    )


def _memcheck_findings(report: str, sources: Sequence[Path]) -> Iterator[Finding]:
    """Yield what memcheck reports, located at the innermost stack frame in `sources`, if there is one."""
    names = {source.name for source in sources}
    for paragraph in re.split(r"==\d+==\s*\n", report):
        kind = next((name for words, name in _KINDS.items() if words in paragraph), "")
        frames = [(function, PurePath(line).name) for function, line in _FRAME.findall(paragraph)]
        if kind and frames:
            own = [frame for frame in frames if frame[1].split(":")[0] in names]
            function, line = (own or frames)[0]
            yield Finding(what=kind, where=f"{function} ({line})")


def _variable_time_instructions(executable: Executable) -> Iterator[Finding]:
    """Yield the variable-time instructions in the implementation's own objects."""
    if executable.implementation.library:
        return
    for path in executable.objects[:1] if executable.implementation.foreign else executable.objects:
        disassembly = sandbox.run_confined_tool([*_DISASSEMBLE, str(path)], readable=[path], seconds=60).stdout
        function = source = ""
        for line in disassembly.decode(errors="replace").splitlines():
            if match := _FUNCTION.match(line):
                function = match[1]
            elif match := _SOURCE.match(line):
                source = f"{Path(match[1]).name}:{match[2]}"
            elif match := _VARIABLE.match(line):
                yield Finding(what=f"has {match[1]}", where=f"{function} ({source})")
