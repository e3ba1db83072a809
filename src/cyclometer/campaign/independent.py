# SPDX-License-Identifier: MIT OR Apache-2.0
"""Independent implementations that are checked beside what was asked for: `ref` and installed libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cyclometer.campaign.environment import Environment
from cyclometer.check import Independent
from cyclometer.compile import build_requests
from cyclometer.errors import letters
from cyclometer.records.catalogue import Primitive
from cyclometer.records.executable import BuildRequest, Executable

ENOUGH = 3  # implementations of a primitive, of which the majority can decide
ADDED = 2  # implementations at most that are added


class IndependentBuilder:
    """Builds independent implementations of primitives of which only a few implementations are checked."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.native = environment.native or environment.catalogue

    def beside(self, built: Sequence[Executable], tuned: Mapping[str, Executable]) -> Independent:
        """Build what to compare the executables with; compositions use the `tuned` parts."""
        groups: dict[str, set[str]] = {}
        trusted: dict[str, set[str]] = {}
        for executable in built:
            name = executable.subject.implementation
            groups.setdefault(executable.subject.key, set()).add(name)
            if executable.implementation.is_reference or executable.implementation.library:
                trusted.setdefault(executable.subject.key, set()).add(name)
        executables, namesakes = {}, {}
        for key, names in groups.items():
            foreign = key not in self.native.primitives or bool(self.environment.catalogue.asked)
            primitive = self.counterpart(self.environment.catalogue.primitives[key])
            few = len(names) < ENOUGH or len(trusted.get(key, ())) < ADDED
            if primitive and (foreign or few):
                candidates = self._candidates(primitive, () if foreign else names, tuned)
                executables[key] = self._first_built(candidates)
            if primitive and self.environment.native:
                namesakes[key] = primitive.key
        return Independent(catalogue=self.native, executables=executables, namesakes=namesakes)

    def partner(self, executable: Executable) -> Executable | None:
        """Return an independent implementation that repeats what the executable computes; None if there is none here.

        Compositions have none: their parts have been compared when they were tuned.
        """
        known = self.environment.catalogue.primitives.get(executable.subject.key)
        primitive = self.counterpart(known) if known and not known.composed else None
        if not primitive or primitive.composed:
            return None
        names = () if self.environment.native else (executable.subject.implementation,)
        built = (self.environment.builder.build([one])[0] for one in self._candidates(primitive, names, {}))
        return next((executables[0] for executables in built if executables), None)

    def counterpart(self, primitive: Primitive) -> Primitive | None:
        """Return our own primitive of the same name, however it is spelt, operation and sizes; None if we have none."""
        if not self.environment.native or primitive is self.native.primitives.get(primitive.key):
            return primitive
        name = primitive.operation
        theirs, ours = self.environment.catalogue.operations.get(name), self.native.operations.get(name)
        if not theirs or not ours or theirs.folder != ours.folder:  # the foreign API is another one
            return None
        if primitive.same_as:
            return self.native.primitives[primitive.same_as]
        return next((p for p in self.native.primitives.values() if _same(p, primitive)), None)

    def _candidates(
        self, primitive: Primitive, names: Sequence[str] | set[str], tuned: Mapping[str, Executable]
    ) -> list[BuildRequest]:
        """Return one request for `ref` and for each library that is not among the names, `ref` first."""
        requests = build_requests(self.native, primitive, tuned)
        chosen: dict[str, BuildRequest] = {}
        for request in requests:
            implementation = request.implementation
            if implementation.name not in names and (implementation.is_reference or implementation.library):
                chosen.setdefault(implementation.name, request)
        return sorted(
            chosen.values(), key=lambda request: (request.implementation.library, request.subject.implementation)
        )

    def _first_built(self, candidates: Sequence[BuildRequest]) -> list[Executable]:
        """Build as many candidates as are missing, at the same time, until there are enough."""
        executables: list[Executable] = []
        waiting = list(candidates)
        while waiting and (missing := ADDED - len(executables)):
            executables += self.environment.builder.build(waiting[:missing])[0]
            waiting = waiting[missing:]
        return executables


def _same(ours: Primitive, foreign: Primitive) -> bool:
    known = {name: size for name, size in foreign.sizes.items() if name in ours.sizes}
    same_name = letters(ours.name) == letters(foreign.name)
    return same_name and ours.operation == foreign.operation and all(ours.sizes[n] == s for n, s in known.items())
