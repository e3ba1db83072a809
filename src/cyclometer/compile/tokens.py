# SPDX-License-Identifier: MIT OR Apache-2.0
"""Splits C source into tokens, without comments, layout and the names of included files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_TOKEN = re.compile(
    r"""
    (?P<space>   [ \t\r\f\v]+ | /\*.*?\*/ | //[^\n]* )
  | (?P<newline> \n )
  | (?P<token>   (?:u8|[uUL])? (?: "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )   # strings and characters
               | \.?\d (?: [eEpP][+-] | '\w | [\w.] )*                            # numbers
               | [A-Za-z_$][\w$]*
               | \.\.\. | <<= | >>= | [-+*/%&|^!=<>]= | -> | \+\+ | -- | << | >> | && | \|\| | \#\# | :: | .
    )""",
    re.VERBOSE | re.DOTALL,
)
_END = "\n"  # around each directive, whose end is that of its line


def tokens(source: Path, folders: Sequence[Path]) -> list[str]:
    """List the tokens of a file, with each quoted include replaced by the tokens of the file that it names.

    A file is searched beside the one that includes it, then in `folders`; only its first inclusion is replaced. An
    include in angle brackets, by a macro, or of a file that is not found stays as it is written.
    """
    return list(_expanded(source.resolve(), folders, set()))


def _expanded(source: Path, folders: Sequence[Path], seen: set[Path]) -> Iterator[str]:
    seen.add(source)
    for line in _without_guard(_lines(source.read_text(encoding="utf-8", errors="replace"))):
        included = _included(line, (source.parent, *folders))
        if included is None:
            yield from (_END, *line, _END) if line[0] == "#" else line
        elif included not in seen:
            yield from _expanded(included, folders, seen)


def _lines(text: str) -> list[list[str]]:
    """Split into directives, each a list that begins with #, and the tokens between two of them."""
    lines: list[list[str]] = []
    line_begins, spaced = True, False
    for match in _TOKEN.finditer(_SPLICE.sub("", text)):
        if match.lastgroup == "space":
            spaced = True
            continue
        if match.lastgroup == "newline":
            line_begins = True
            continue
        token = match.group()
        if not lines or (line_begins and "#" in (token, lines[-1][0])):
            lines.append([])
        if token == "(" and not (spaced or line_begins) and _is_define(lines[-1]):
            lines[-1][-1] += token  # the macro NAME( takes arguments, NAME ( does not
        else:
            lines[-1].append(token)
        line_begins = spaced = False
    return lines


def _is_define(line: list[str]) -> bool:
    return len(line) == 3 and line[:2] == ["#", "define"]


def _without_guard(lines: list[list[str]]) -> list[list[str]]:
    """Remove the include guard, because its macro has the file's name."""
    if len(lines) < 3 or lines[0][:2] != ["#", "ifndef"] or lines[1] != ["#", "define", *lines[0][2:]]:
        return lines
    depth = 0
    for index, line in enumerate(lines):
        if line[0] == "#" and len(line) > 1:
            depth += line[1] in ("if", "ifdef", "ifndef")
            depth -= line[1] == "endif"
        if depth == 0:
            return lines[2:-1] if index == len(lines) - 1 else lines
    return lines


def _included(line: list[str], folders: Sequence[Path]) -> Path | None:
    if line[:2] != ["#", "include"] or len(line) != 3 or not line[2].startswith('"'):
        return None
    candidates = (folder / line[2].strip('"') for folder in folders)
    return next((candidate.resolve() for candidate in candidates if candidate.is_file()), None)
