# SPDX-License-Identifier: MIT OR Apache-2.0
"""The macros and include folders that a makefile gives its compiler. It is read as text, and never run.

Of make's language, variables, continued lines and rules are understood. What a conditional, a function of make, or
the command line may change counts as unknown; an unknown value is left out, never guessed.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cyclometer.discover.foreign._tree import ForeignTree
from cyclometer.untrusted import MAX_FILES, MAX_LINE_FILE

_NAMES = ("GNUmakefile", "makefile", "Makefile")  # in the order in which make looks for them
_MOST_INSERTED = 1 << 20  # values of variables and their characters
_DEPTH = 20  # of variables and calls in each other
_MOST_TAKEN = 100  # macros, and folders
_UNKNOWN = "\0"  # stands for a value that is unknown
_IMPLICIT = "$(CC) $(CFLAGS) $(CPPFLAGS) -c"  # of a makefile without commands that compile

_CONTINUED = re.compile(r"\\\r?\n[ \t]*")
_CONDITIONAL = re.compile(r"[ \t]*(ifeq|ifneq|ifdef|ifndef|define|else|endif|endef)\b")
_ASSIGNMENT = re.compile(r"[ \t]*(?:export[ \t]+|override[ \t]+)?([\w.-]{1,100})[ \t]*(\+|\?|:{1,3}|!)?=(.*)")
_RULE = re.compile(r"[^:=\t][^:=]*::?(?!=)(.*)")
_INNERMOST = re.compile(r"\$(?:[({]([^(){}$]*)[)}]|([^({]))")  # a reference or call without others in it
_COMPILER = re.compile(r"(?:[^\s]*[^\w])?(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-[0-9.]+)?")
_SOURCE = (".c", ".cc", ".cpp", ".s", ".S")
_MACRO = re.compile(r'([A-Za-z_]\w{0,99})(?:=([\w.+-]{0,200}|"[\w ./:+-]{0,200}"))?', re.ASCII)
_GIVEN = re.compile(r"(?<![\w-])-D[ \t]*(\w{1,100})")


@dataclass(frozen=True, kw_only=True)
class Flags:
    """What a makefile gives its compiler, apart from what our toolchains decide."""

    macros: tuple[str, ...] = ()  # NAME or NAME=value
    folders: tuple[Path, ...] = ()  # of the tree, resolved
    below: tuple[Path, ...] = ()  # sources in folders below the makefile's that its commands compile to objects


def flags(home: Path, tree: ForeignTree) -> Flags:
    """Return what the makefile in a folder gives its compiler; nothing if there is none.

    Macros are those that all its commands give with the same plain value; folders are those that any of them names.
    A makefile of more than MAX_LINE_FILE bytes gives nothing. `RefusedFile` if it is not a regular file of the tree.
    """
    makefile = next((path for path in (home / name for name in _NAMES) if os.path.lexists(path)), None)
    if not makefile:
        return Flags()
    if len(tree.start(makefile, MAX_LINE_FILE + 1)) > MAX_LINE_FILE:
        return Flags()
    reader = _Reader()
    try:
        reader.read(tree.text(makefile))
        commands = list(reader.compiling())
    except (_TooMuchError, ValueError):  # shlex's for quotes without an end
        return Flags()
    macros = [_macros(words) for words in commands]
    agreed = [name for name, value in macros[0].items() if all(each.get(name) == value for each in macros)]
    named = dict.fromkeys(name for words in commands for name in _values(words, "-I"))
    folders = dict.fromkeys(tree.folder(home / name) for name in itertools.islice(named, _MOST_TAKEN))
    objects = dict.fromkeys(_below(home, (words for words in commands if "-c" in words)))
    plain = [macros[0][name] for name in agreed if macros[0][name] and name not in reader.conditional]
    return Flags(
        macros=tuple(plain[:_MOST_TAKEN]),
        folders=tuple(each for each in folders if each and each != home and len(os.listdir(each)) <= MAX_FILES),
        below=tuple(each for each in itertools.islice(objects, _MOST_TAKEN) if tree.is_file(each)),
    )


def _below(home: Path, commands: Iterable[Sequence[str]]) -> Iterator[Path]:
    """Yield the sources in folders below `home` that commands name."""
    for words in commands:
        paths = (
            Path(os.path.normpath(home / word)) for word in words if word.endswith(_SOURCE) and _UNKNOWN not in word
        )
        yield from (path for path in paths if path.parent != home and path.is_relative_to(home))


class _TooMuchError(Exception):
    """The values of variables become too long when they are inserted."""


@dataclass
class _Reader:
    """The variables and commands of a makefile."""

    assigned: dict[str, list[str]] = field(default_factory=lambda: {"CC": ["cc"], "CXX": ["c++"]})
    expanded: dict[str, str] = field(default_factory=dict)
    recipes: list[tuple[str, str]] = field(default_factory=list)  # prerequisites and command
    conditional: set[str] = field(default_factory=set)  # macros that something gives under a condition
    inserted: int = 0  # characters

    def read(self, text: str) -> None:
        """Take in all lines."""
        conditions, prerequisites = 0, None
        for full in _CONTINUED.sub(" ", text).splitlines():
            is_recipe = full.startswith("\t") and prerequisites is not None
            line = full if is_recipe else full.partition("#")[0]
            if not is_recipe and (word := _CONDITIONAL.match(line)):
                conditions = max(0, conditions + {"endif": -1, "endef": -1, "else": 0}.get(word[1], 1))
            elif conditions and (is_recipe or not _ASSIGNMENT.fullmatch(line)):
                self.conditional.update(_GIVEN.findall(line))
            elif is_recipe:
                self.recipes += [(prerequisites or "", part) for part in re.split("[;&|]", line)]
            elif assigned := _ASSIGNMENT.fullmatch(line):
                self._assign(assigned[1], assigned[2] or "", assigned[3].strip(), bool(conditions))
                prerequisites = None
            elif rule := _RULE.fullmatch(line):
                prerequisites = rule[1]
                if _ASSIGNMENT.fullmatch(rule[1]):  # of a variable, for this target only
                    self.conditional.update(_GIVEN.findall(line))

    def _assign(self, name: str, operator: str, value: str, is_conditional: bool) -> None:
        itself = f"$({name})"
        if is_conditional:
            self.conditional.update(_GIVEN.findall(value))
            value = _UNKNOWN
        if operator == "+" or itself in value:
            self.assigned.setdefault(name, []).append(value.replace(itself, ""))
        elif operator == "?":
            self.assigned.setdefault(name, [value])
        elif not (is_conditional and name in ("CC", "CXX")):  # some compiler, whichever
            self.assigned[name] = [_UNKNOWN if operator == "!" else value]

    def compiling(self) -> Iterator[list[str]]:
        """Yield the words of each command that compiles something, or else those of make's implicit one."""
        empty = True
        for prerequisites, recipe in self.recipes:
            command = self._expand(recipe, prerequisites).lstrip("@-+ \t")
            if not _COMPILER.fullmatch(command.split(maxsplit=1)[0] if command.strip() else ""):
                continue
            words = shlex.split(command, comments=True)
            if "-c" in words or any(word.endswith(_SOURCE) for word in words):
                empty = False
                yield words
        if empty:
            yield shlex.split(self._expand(_IMPLICIT), comments=True)

    def _expand(self, text: str, prerequisites: str | None = None, depth: int = 0) -> str:
        """Return a text with the values of variables in it; `_TooMuchError` if they are too long."""

        def value(found: re.Match[str]) -> str:
            name = found[1] if found[2] is None else found[2]
            if name in ("<", "^", "+", "?") and prerequisites is not None:
                result = self._expand(prerequisites, None, depth + 1)
            else:
                result = self._value(name, depth + 1)
            self.inserted += len(result) + 1
            if self.inserted > _MOST_INSERTED:
                raise _TooMuchError
            return result

        for _ in range(_DEPTH):
            text, number = _INNERMOST.subn(value, text)
            if not number:
                break
        return _UNKNOWN if "$" in text else text

    def _value(self, name: str, depth: int) -> str:
        if name not in self.assigned or depth > _DEPTH:
            return _UNKNOWN
        if name not in self.expanded:
            self.expanded[name] = _UNKNOWN  # in its own value
            self.expanded[name] = self._expand(" ".join(self.assigned[name]), None, depth)
        return self.expanded[name]


def _macros(words: Sequence[str]) -> dict[str, str]:
    """Return the macros of a command by name: NAME=value, or '' for one with a value that is not plain."""
    macros = {}
    for text in _values(words, "-D"):
        plain = _MACRO.fullmatch(text)
        macros[plain[1] if plain else text.partition("=")[0]] = text if plain else ""
    return macros


def _values(words: Iterable[str], option: str) -> Iterator[str]:
    """Yield the values of an option in a command: -DX or -D X."""
    remaining = iter(words)
    for word in remaining:
        if word.startswith(option):
            yield word[len(option) :] or next(remaining, "")
