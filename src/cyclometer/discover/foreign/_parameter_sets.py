# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tells several primitives in one folder, such as sets of parameters, from implementations of one primitive.

Only what is known without running counts: the operation, the name and the sizes that an `api.h` gives as literals, and
the first known answer of NIST's lightweight call. Names alone (`ref`, `mayo_1`) decide nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cyclometer.discover.foreign._tree import ForeignImplementation, ForeignTree, plain
from cyclometer.errors import RefusedFile
from cyclometer.untrusted import name_problem

_NAME = "ALGNAME"
_LITERAL = r'"[^"\n]{0,200}"|\(?[ \t]*(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,19})[uUlL]{0,3}[ \t]*\)?'
_DEFINITION = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+CRYPTO_({_NAME}|\w{{0,80}}BYTES)\b(.{{0,400}})", re.MULTILINE)
_VALUE = re.compile(rf"[ \t]+({_LITERAL})[ \t]*\r?(?:/[/*].*)?")
_END_OF_RECORD = re.compile(r"\n[ \t\r]*\n")
_FIRST_RECORD = 4096  # bytes of known answers that are read


@dataclass(kw_only=True)
class _Group:
    """Implementations of one primitive, and what is known of it."""

    facts: dict[str, str]
    members: list[ForeignImplementation] = field(default_factory=list)

    def agrees(self, facts: Mapping[str, str]) -> bool:
        """Return whether nothing that is known of both differs."""
        return all(self.facts.get(name, value) == value for name, value in facts.items())


def separated(implementations: Sequence[ForeignImplementation], tree: ForeignTree) -> list[ForeignImplementation]:
    """Return what is listed in the same order, with those that are no implementations of one primitive renamed.

    Implementations whose operation is unknown keep their names.
    """
    together: dict[str, list[ForeignImplementation]] = defaultdict(list)
    for listed in implementations:
        if not listed.skip_reason:
            together[listed.primitive].append(listed)
    apart = [several for siblings in together.values() if len(several := _groups(siblings, tree)) > 1]
    groups = [group for several in apart for group in several]
    named = zip(groups, _names(groups, tree), strict=True)
    names = {member.folder: name for group, name in named for member in group.members}
    return [replace(listed, primitive=names.get(listed.folder, listed.primitive)) for listed in implementations]


def _groups(siblings: Iterable[ForeignImplementation], tree: ForeignTree) -> list[_Group]:
    """Put together what agrees. What is unknown agrees with everything, but belongs only where one group agrees."""
    known = [(_facts(listed, tree), listed) for listed in siblings]
    groups: list[_Group] = []
    for facts, listed in sorted(known, key=lambda each: -len(each[0])):  # stable: otherwise in the order of names
        agreeing = [group for group in groups if group.agrees(facts)]
        if len(agreeing) == 1:
            [group] = agreeing
        else:
            groups.append(group := _Group(facts={}))
        group.facts |= facts
        group.members.append(listed)
    return groups


def _facts(listed: ForeignImplementation, tree: ForeignTree) -> dict[str, str]:
    """Return what is known of an implementation without running it; files that cannot be read say nothing."""
    facts = {"operation": listed.operation}
    try:
        facts |= _definitions(tree.text(listed.api))
        for file in sorted(listed.folder.glob("LWC_*_KAT_*.txt")):
            facts[file.name] = _first_record(tree.start_text(file, _FIRST_RECORD))
    except (RefusedFile, OSError):
        pass
    return facts


def _definitions(text: str) -> dict[str, str]:
    """Return CRYPTO_ALGNAME and the sizes, without those that are expressions or depend on an #if."""
    values: dict[str, set[str]] = defaultdict(set)
    for name, rest in _DEFINITION.findall(text):
        value = _VALUE.fullmatch(rest)
        values[name].add(_plain_value(value[1]) if value else "")
    return {name: value for name, [value, *others] in values.items() if value and not others}


def _plain_value(literal: str) -> str:
    if literal.startswith('"'):
        return literal.strip('"')
    digits = literal.strip("() \t").rstrip("uUlL")
    return str(int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits))


def _first_record(text: str) -> str:
    return " ".join(_END_OF_RECORD.split(text.strip(), maxsplit=1)[0].upper().split())


def _names(groups: Sequence[_Group], tree: ForeignTree) -> list[str]:
    """Return names of primitives, all different.

    One implementation alone has its folder's name. Several have the name in their api.h or else what they were called
    before, if no other group has it, too; otherwise they have the name of the first folder.
    """
    preferred = [_preferred(group, tree) for group in groups]
    times = Counter(preferred)
    return [
        name if times[name] == 1 else _folder_name(group, tree) for group, name in zip(groups, preferred, strict=True)
    ]


def _preferred(group: _Group, tree: ForeignTree) -> str:
    if len(group.members) == 1:
        return _folder_name(group, tree)
    name = plain(group.facts.get(_NAME, "")).replace("/", "-").strip(".-")
    return group.members[0].primitive if not name or name_problem(name) else name


def _folder_name(group: _Group, tree: ForeignTree) -> str:
    """Return the path of the first implementation in its tree as one word: mayo_1, or WG0-mayo_1."""
    first = min(group.members, key=lambda listed: listed.name)
    name = first.name if first.primitive == plain(tree.root.name) else f"{first.primitive}/{first.name}"
    return name.replace("/", "-")
