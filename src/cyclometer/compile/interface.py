# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a source is compiled with to use an implementation's types: include path and macros."""

from __future__ import annotations

import re
from pathlib import Path

from cyclometer.compile.build_tool import BuildError
from cyclometer.compile.cache import ToolFailure
from cyclometer.compile.foreign import ForeignCode
from cyclometer.compile.harness_objects import BaseCompilers
from cyclometer.records.catalogue import Catalogue, Compiler, Foreign, Implementation
from cyclometer.records.executable import BuildRequest
from cyclometer.records.failure import FailureKind


class Interfaces:
    """Include paths and macros, by build request."""

    def __init__(self, catalogue: Catalogue, shared: Path, foreign: ForeignCode, compilers: BaseCompilers) -> None:
        self._catalogue, self._shared, self._foreign = catalogue, shared, foreign
        self._compilers = compilers

    def of(self, request: BuildRequest) -> tuple[tuple[Path, ...], tuple[tuple[str, str], ...]]:
        """Return the include path and the macros with which a source can use the implementation's types."""
        implementation = request.implementation
        include = (*implementation.folders, *self._api_folders(request), self._shared)
        return include, (*self._macros(request), *implementation.macros)

    def _api_folders(self, request: BuildRequest) -> list[Path]:
        composed = request.primitive.composed
        names = (
            [request.primitive.operation, *(op for op, _ in composed.every_part)]
            if composed
            else [request.primitive.operation]
        )
        return [self._catalogue.operations[name].folder for name in names]

    def _macros(self, request: BuildRequest) -> list[tuple[str, str]]:
        """Return the macros for the sizes of the primitive and its parts, named as in the API headers."""
        primitive = request.primitive
        parts = primitive.composed.every_part if primitive.composed else ()
        macros = [(f"{primitive.operation}_ASSOCIATEDDATA", str(int(primitive.associated_data)))]
        for fact, macro in (("max_bytes", "MAXBYTES"), ("max_ad_bytes", "MAXADBYTES")):
            if limit := primitive.facts.get(fact):
                macros.append((f"{primitive.operation}_{macro}", str(limit)))
        for each in (primitive, *(self._catalogue.primitives[f"{op}/{name}"] for op, name in parts)):
            names = self._catalogue.operations[each.operation].size_macros
            macros += [(f"{each.operation}_{names[size]}", str(value)) for size, value in each.sizes.items()]
        return macros + self._foreign_macros(request)

    def _foreign_macros(self, request: BuildRequest) -> list[tuple[str, str]]:
        """Return the macros for the sizes that a foreign implementation's own API header defines."""
        foreign, composed = request.implementation.foreign, request.primitive.composed
        if not foreign or not self._compilers.first:
            return []
        operation = composed.parts[composed.searched][0] if composed else request.primitive.operation
        headers, libraries = request.exported_headers, self.vendored(foreign, request.compiler)
        sizes = self._foreign.headers.sizes(foreign, self._compilers.first, headers, libraries)
        if isinstance(sizes, ToolFailure):  # the header may need what only the compiler under test provides
            sizes = self._foreign.headers.sizes(foreign, request.compiler, headers, libraries)
        if isinstance(sizes, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, f"{foreign.api.name} does not compile", sizes.message)
        return [(f"{operation}_{name}", str(value)) for name, value in sizes.items()]

    def vendored(self, foreign: Foreign, compiler: Compiler) -> list[Path]:
        """Return the archives of the vendored libraries that were asked for; BuildError if one does not build."""
        libraries = self._foreign.libraries(foreign, self._compilers.of(compiler))
        if isinstance(libraries, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, "a vendored library does not build", libraries.message)
        return libraries


def require_one_meaning(implementation: Implementation) -> None:
    """Raise BuildError if the parts of a composition give a macro two values, and the types of one depend on it.

    Otherwise only sources do that are compiled with their own part.
    """
    values: dict[str, set[str]] = {}
    for name, value in implementation.macros:
        values.setdefault(name, set()).add(value)
    ambiguous = [name for name, several in values.items() if len(several) > 1]
    if not ambiguous:
        return
    headers = [path for folder in implementation.folders for path in folder.glob("*_types.h")]
    text = "".join(path.read_text(encoding="utf-8") for path in headers)
    if named := [name for name in ambiguous if re.search(rf"\b{name}\b", text)]:
        raise BuildError(FailureKind.DOES_NOT_COMPILE, f"its parts define {named[0]} differently")
