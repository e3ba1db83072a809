# SPDX-License-Identifier: MIT OR Apache-2.0
"""The constant-time checker: valgrind's memcheck follows secrets, the disassembly shows what memcheck cannot see.

The verb `secrets` of an executable calls the operation with its secrets marked as uninitialised
(operations/<operation>/secrets.c), so that memcheck reports branches and addresses that depend on them. Of functions
that accept or reject it first reports, with nothing secret but the tag, the branches on the verdict; those are no
leaks unless calls with the same verdict differ there (verification.py).
Instructions whose own time depends on their operands are listed as well, whether or not a secret reaches them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from cyclometer.check.vectors import limits
from cyclometer.check.verification import Place, place, uneven_places
from cyclometer.execute import sandbox
from cyclometer.execute.pool import on_all_cores
from cyclometer.execute.timed import call
from cyclometer.records.catalogue import Compiler
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
from cyclometer.records.tuning import Tuning

CONSTANT_TIME_SECONDS = 120.0
_DISASSEMBLE = ["objdump", "-d", "-l", "--no-show-raw-insn"]
MAX_FINDINGS = 12  # of one verdict

UNKNOWN_VERB = 2  # exit status, harness/runtime/main.c
_KINDS = {  # memcheck's messages
    "Conditional jump or move depends on uninitialised value": BRANCHES_ON_SECRET,
    "Use of uninitialised value": ADDRESS_DEPENDS_ON_SECRET,
}
_STEP = re.compile(r"^\*\*\d+\*\* cyclometer: (\w+)$", re.MULTILINE)  # harness/runtime/verification.c
_TAG = "tag"
_COMPARISON = re.compile(r"\w*cmp\w* (?:vg_replace_strmem\.c:|vgpreload_memcheck)")  # valgrind's own memcmp, strcmp ...
_ADDRESS = re.compile(r"(?:at|by) (0x[0-9A-F]+): ")
_HARNESS = re.compile(r"by 0x[0-9A-F]+: follow \(verification\.c:")  # the same call from several places
_FRAME = re.compile(r"(?:at|by) 0x[0-9A-F]+: (\S+) \(([^)]*)\)")
# Division, in integers and in floating point, and square roots: slower for some operands than for others.
_VARIABLE = re.compile(r"^\s*[0-9a-f]+:\t(i?div[bwlq]?|v?divs[sd]|v?sqrts[sd]|f(?:i?div\w*|sqrt)|[su]div)\s")
_SOURCE = re.compile(r"^(/\S+|\S+\.\w+):(\d+)")
_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:")


def check_constant_time(
    executables: Sequence[Executable], progress: Callable[[], None] = lambda: None
) -> list[ConstantTime]:
    """Return a verdict on each executable; they must be built for the checker. Identical programs run once."""
    programs = {_program(executable): executable for executable in executables}
    found = dict(zip(programs, on_all_cores(_verdict, list(programs.values()), progress), strict=True))
    for _ in range(len(executables) - len(programs)):
        progress()
    return [
        replace(found[_program(executable)], subject=executable.subject, line=_command_line(executable.compiler))
        for executable in executables
    ]


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


def _program(executable: Executable) -> tuple[Path, Tuning]:
    """Return what tunings have in common whose verdicts are the same."""
    return executable.path, replace(executable.subject, compiler="")


def _command_line(compiler: Compiler) -> str:
    return shlex.join([compiler.command, *compiler.flags])


def _verdict(executable: Executable) -> ConstantTime:
    compiler, implementation = executable.compiler, executable.implementation
    outcome = call(executable, "secrets", limits=limits(compiler, CONSTANT_TIME_SECONDS))
    unchecked = ""
    if outcome.problem or b"verdict\tok\t" not in outcome.stdout:
        unchecked = outcome.problem or "the operation has no secrets.c"
        unchecked = "the operation names no secrets" if outcome.status == UNKNOWN_VERB else unchecked
    leaks, on_verdict = _sorted_out(_memcheck_findings(outcome.stderr.decode(errors="replace"), implementation.sources))
    if on_verdict and not unchecked:
        uneven, problem = uneven_places(executable, CONSTANT_TIME_SECONDS)
        leaks += [each.finding for each in on_verdict if each.place in uneven]
        if problem and not leaks:
            unchecked = f"decryption or verification was not followed: {problem}"
    findings = [*leaks, *_variable_time_instructions(executable)]
    return ConstantTime(
        subject=executable.subject,
        line=_command_line(compiler),
        claimed=implementation.constant_time,
        findings=tuple(dict.fromkeys(findings))[:MAX_FINDINGS],
        unchecked=unchecked,
        library=implementation.library,
    )


@dataclass(frozen=True)
class _Reported:
    """A report of memcheck's, and where the instruction is."""

    finding: Finding
    step: str  # what was secret: "tag", "secrets", or "" before functions that accept or reject were called
    place: Place
    stack: tuple[str, ...]  # addresses, as far as the harness
    compares: bool  # in a function of the C library that compares strings


def _sorted_out(reported: Iterable[_Reported]) -> tuple[list[Finding], list[_Reported]]:
    """Return the leaks, and the branches that depend on a tag, as those on a verdict do.

    The C library's comparisons leak, whether or not counts show it with the one that is installed. An address that
    depends on a tag alone depends on nothing secret.
    """
    reported = list(reported)
    by_tag = [each for each in reported if each.step == _TAG and not each.compares]
    known = {(each.stack, each.finding.what) for each in by_tag}
    leaks = [each for each in reported if each.compares or (each.stack, each.finding.what) not in known]
    return [each.finding for each in leaks], [each for each in by_tag if each.finding.what == BRANCHES_ON_SECRET]


def _memcheck_findings(report: str, sources: Sequence[Path]) -> Iterator[_Reported]:
    """Yield what memcheck reports, located at the innermost stack frame in `sources`, if there is one."""
    names, step = {source.name for source in sources}, ""
    for paragraph in re.split(r"==\d+==\s*\n", report):
        announced = _STEP.search(paragraph)
        step = announced[1] if announced else step
        kind = next((name for words, name in _KINDS.items() if words in paragraph), "")
        frames = [(function, PurePath(line).name) for function, line in _FRAME.findall(paragraph)]
        if kind and frames:
            own = [frame for frame in frames if frame[1].split(":")[0] in names]
            function, line = (own or frames)[0]
            finding = Finding(what=kind, where=f"{function} ({line})")
            stack = tuple(_ADDRESS.findall(_HARNESS.split(paragraph)[0]))
            compares = bool(_COMPARISON.match(" ".join(frames[0])))
            yield _Reported(finding, step, place(*frames[0]), stack, compares)


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
