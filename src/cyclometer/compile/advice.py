# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the author of a folder of source code should change if it does not fit its operation's API."""

from __future__ import annotations

import re

from cyclometer.compile.build_tool import BuildError
from cyclometer.compile.foreign import CPLUSPLUS
from cyclometer.records.catalogue import Foreign, ForeignOperation, Implementation, Operation
from cyclometer.records.failure import FailureKind

_UNDEFINED = re.compile(
    r"'crypto_\w+?_([A-Z]\w*)' undeclared|undeclared identifier 'crypto_\w+?_([A-Z]\w*)'"
    r"|undefined reference to `crypto_\w+?_([A-Z]\w*)'"  # a size that the operation's opaque header declares
)


def advised(error: BuildError, implementation: Implementation, operation: Operation) -> BuildError:
    """Return the error with the prototypes or macros that are missing, if these are why it does not build."""
    foreign, names = implementation.foreign, operation.foreign
    if not foreign or not names:
        return error
    if error.kind is FailureKind.FUNCTION_MISSING:
        wanted = _prototypes(operation, names, names.required_functions)
        return _with(error, f"{error}; define {_c_linkage(implementation)}{wanted}")
    if error.kind is FailureKind.DOES_NOT_LINK:
        missing = [suffix for suffix in names.required_functions if _symbol(foreign, operation, suffix) in error.detail]
        if missing:
            return _with(error, f"{error}; define {_prototypes(operation, names, missing)}")
    if "conflicting types" in error.detail:
        return _with(error, f"{error}; declare {_prototypes(operation, names, names.required_functions)}")
    ours = ("check.c", "measure.c", f"{operation.name}_types.h")  # the last one in adapters/
    is_ours = error.kind is FailureKind.DOES_NOT_LINK or str(error).startswith(ours)
    found = _UNDEFINED.search(error.detail)
    size = next(filter(None, found.groups())) if found else ""
    if is_ours and size in names.sizes:
        macro = foreign.prefix + size
        wanted = ", ".join(
            name for size in names.sizes if (name := foreign.prefix + size) == macro or size not in names.optional_sizes
        )
        return BuildError(error.kind, f"{foreign.api.name} does not define {macro}; it must define {wanted}")
    return error


def _c_linkage(implementation: Implementation) -> str:
    """Return what C++ needs so that its functions have the names of C: one such source makes all of them C++."""
    found = next((source.name for source in implementation.sources if source.suffix in CPLUSPLUS), "")
    return f'as extern "C" (beside {found}, all sources are C++) ' if found else ""


def _symbol(foreign: Foreign, operation: Operation, suffix: str) -> str:
    """Return the marks around the symbol of a function in a linker's message."""
    symbol = next((theirs for ours, theirs in foreign.names if ours.endswith(operation.name[7:] + suffix)), suffix)
    return f"`{symbol}'"


def _prototypes(operation: Operation, names: ForeignOperation, suffixes: tuple[str, ...] | list[str]) -> str:
    return " ".join(names.functions[suffix].replace("@", operation.name + suffix) for suffix in suffixes)


def _with(error: BuildError, reason: str) -> BuildError:
    return BuildError(error.kind, reason, error.detail)
