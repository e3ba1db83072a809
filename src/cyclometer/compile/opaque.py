# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the harness is compiled with in place of an implementation's own types and a primitive's sizes.

The checks and loops of an operation know a key by its address, and its size at run time; likewise the bytes of a
nonce or a tag. A header in the operation's folder `opaque` declares all of them. The compiler finds the sizes of types
in the implementation's header, and an object of its own defines what was declared. So implementations and primitives
share the objects of the harness, and their headers cannot change what it does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from cyclometer.compile.build_tool import BuildError, run_build_tool, take, without_folders
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.packages import Package, flag_folders
from cyclometer.compile.sources import used_macros, without_folder
from cyclometer.compile.steps import BuildSteps
from cyclometer.execute.bubblewrap import tool_folders
from cyclometer.paths import api_folders
from cyclometer.records.catalogue import Compiler, Operation
from cyclometer.records.failure import FailureKind

FLAGS = ("-O0", "-std=gnu11", "-w", "-fvisibility=hidden")
MOST_BYTES = 1 << 30  # of a type: what is larger fits in no process that checks it
COMPLETE = "complete"
"""The variable that shows that this compiler's assembly was understood."""
MOST_ALIGNMENT = 4096
"""Bytes of a page: there the harness puts keys and states."""

_TYPE_OR_CONDITION = re.compile(r"extern const size_t (\w+)_size;|^(#(?:if|else|endif).*)$", re.MULTILINE)
_NUMBER = re.compile(r"extern const size_t (\w+)(?<!_size);")
_VALUE = re.compile(
    r"^value_(\w+):[^\n]*\s*\.(?:(?:long|word|int|4byte)\s+(-?\d{1,10})|(?:zero|skip|space)\s+4)\b",
    re.MULTILINE | re.ASCII,
)


@dataclass(frozen=True)
class Interface:
    """What a source of the harness sees of an implementation: include path, macros, and libraries' headers."""

    folders: tuple[Path, ...]
    macros: tuple[tuple[str, str], ...]
    packages: Package


class OpaqueTypes:
    """Evaluates the types of implementations, each once."""

    def __init__(self, steps: BuildSteps) -> None:
        self._steps, self._used, self._declared = steps, cache(self._macros_of), cache(_declared)

    def of(self, operation: Operation, compiler: Compiler, own: Interface) -> tuple[Interface, list[Path]]:
        """Return what the harness sees in place of an implementation's `own` interface, and the object with sizes.

        There is none if nothing is declared. `BuildError` if the implementation's header does not compile, or lacks
        a type.
        """
        name, folder = f"{operation.name}_types.h", operation.folder / "opaque"
        header = next((folder / name for folder in own.folders if (folder / name).is_file()), None)
        macros, sizes = own.macros, dict[str, int]()
        if header:
            numbers = self._steps.includes.names(header, own.folders) & self._used(operation.folder)
            values = self._values(header, _program(header, folder / name, sorted(numbers)), compiler, own)
            found = tuple((name, str(values[name])) for name in sorted(values.keys() & numbers))
            sizes = {name: values[name] for name in sorted(values.keys() - numbers)}
            macros = tuple(dict.fromkeys((*macros, *found)))  # a header may repeat a size, which changes no object
        declared = self._declared(folder / name)
        sizes |= {name: _number(name, value) for name, value in macros if name in declared}
        macros = tuple((name, value) for name, value in macros if name not in declared)
        folders = (folder, operation.folder) if folder.is_dir() else (operation.folder,)
        return Interface(folders, macros, Package()), [self._sizes(sizes, compiler)] if sizes else []

    def _macros_of(self, operation: Path) -> frozenset[str]:
        """Return the macros that the files of an operation may use."""
        folders = (operation, *api_folders(self._steps.harness))
        words = (self._steps.includes.names(source, folders) for source in operation.glob("*.c"))
        return frozenset(word for word in chain(*words) if re.fullmatch(rf"{operation.name}_[A-Z0-9_]+", word))

    def _values(self, header: Path, program: str, compiler: Compiler, own: Interface) -> dict[str, int]:
        """Return the values of the program's variables, by name."""
        steps, packages = self._steps, own.packages
        used = used_macros([f"{name}={value}" for name, value in own.macros], steps.includes.names(header, own.folders))
        defines = [f"-D{define}" for define in used]
        options = [*compiler.target, *FLAGS, *packages.cflags, *defines]
        parts = [without_folder(part) for part in steps.includes.closure(header, own.folders)]
        key = Cache.key("types", program, compiler.command, compiler.version, options, parts, packages.identity)

        def builder(out: Path) -> str:
            path = [f"-I{folder}" for folder in own.folders]
            command, readable = [compiler.command, *options, *path, "-S"], [*own.folders, *flag_folders(options)]
            with steps.cache.scratch() as scratch:
                return without_folders(
                    self._compiled(program, command, readable, scratch, out), (scratch, *own.folders)
                )

        result = steps.cache.make(key, ".s", builder)
        if isinstance(result, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, f"{header.name} does not compile", result.message)
        assembly = result.read_text(encoding="utf-8", errors="replace")
        values = {name: int(value or 0) for name, value in _VALUE.findall(assembly)}
        if not values.pop(COMPLETE, 0) or any(not 0 <= value <= MOST_BYTES for value in values.values()):
            reason = f"{header.name} defines a type or a number that is not from 0 to {MOST_BYTES}"
            raise BuildError(FailureKind.DOES_NOT_COMPILE, reason)
        return values

    def _sizes(self, sizes: Mapping[str, int], compiler: Compiler) -> Path:
        """Compile an object that defines these sizes."""
        steps, options = self._steps, [*compiler.target, *FLAGS]
        lines = ["#include <stddef.h>", *(f"const size_t {name} = {sizes[name]};" for name in sorted(sizes)), ""]
        program = "\n".join(lines)
        key = Cache.key("sizes", program, compiler.command, compiler.version, options)

        def builder(out: Path) -> str:
            with steps.cache.scratch() as scratch:
                return self._compiled(program, [compiler.command, *options, "-c"], [], scratch, out)

        result = steps.cache.make(key, ".o", builder)
        if isinstance(result, ToolFailure):
            raise BuildError(FailureKind.TOOL_FAILED, "the sizes of its types do not compile", result.message)
        return result

    def _compiled(
        self, program: str, command: Sequence[str], readable: Sequence[Path], scratch: Path, out: Path
    ) -> str:
        """Compile a C program in a folder of its own; return the compiler's words if that fails."""
        source, made = scratch / "types.c", scratch / f"types{out.suffix}"
        source.write_text(program, encoding="utf-8")
        readable = [*self._steps.tree, *readable, *tool_folders(command[:1])]
        outcome = run_build_tool([*command, "-o", str(made), str(source)], readable=readable, writable=scratch)
        return (outcome.first_error() or outcome.problem) if outcome.problem else take(made, out)


def _declared(opaque: Path) -> frozenset[str]:
    """Return the numbers of primitives that a header in a folder `opaque` declares as variables."""
    return frozenset(_NUMBER.findall(opaque.read_text(encoding="utf-8"))) if opaque.is_file() else frozenset()


def _number(name: str, value: str) -> int:
    if value.isdecimal() and int(value) <= MOST_BYTES:
        return int(value)
    raise BuildError(FailureKind.DOES_NOT_COMPILE, f"{name} is {value}, not a number from 0 to {MOST_BYTES}")


def _program(header: Path, opaque: Path, numbers: Sequence[str]) -> str:
    """Return a C source whose variables are the sizes of the types in the opaque header, and the numbers defined."""
    lines = ["#include <stddef.h>", "#include <stdint.h>", f'#include "{header.name}"']
    text = opaque.read_text(encoding="utf-8") if opaque.is_file() else ""
    for name, condition in _TYPE_OR_CONDITION.findall(text):
        lines += [condition] if condition else [_variable(f"{name}_size", f"sizeof({name})"), _alignment(name)]
    for name in numbers:
        lines += [f"#ifdef {name}", _variable(name, f"{name} + 0"), "#endif"]
    return "\n".join([*lines, _variable(COMPLETE, "1"), ""])


def _variable(name: str, value: str) -> str:
    return f"const unsigned value_{name} = ({value}) > {MOST_BYTES} ? {MOST_BYTES + 1} : ({value});"


def _alignment(name: str) -> str:
    return f'_Static_assert(_Alignof({name}) <= {MOST_ALIGNMENT}, "{name} is aligned to more than a page");'
