# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads TOML files, and validates them as declarations of schema.py.

An unknown key is an error that names the file, the key and the nearest valid one.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from cyclometer.discover.schema import Declaration
from cyclometer.errors import BadDeclaration, RefusedFile, first_line
from cyclometer.untrusted import MAX_HEADER, read_text

_LONG_KEY = re.compile(r"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){30}""")

_ANY = "*"

AnyDeclaration = TypeVar("AnyDeclaration", bound=Declaration)


def read_toml(file: Path) -> dict[str, Any]:
    """Return the file as plain values; `BadDeclaration` if it is absent or not TOML."""
    if not os.path.lexists(file):
        raise BadDeclaration(f"{file}: no such file")
    try:
        text = read_text(file, limit=MAX_HEADER, strict=True)
        if _LONG_KEY.search(text):  # takes time that grows with the square of its length
            raise ValueError("a key has more than 30 parts")
        return tomllib.loads(text)
    except RefusedFile as error:
        raise BadDeclaration(str(error)) from None
    except (ValueError, RecursionError) as error:  # not TOML, a number that is no date, nested too deep
        raise BadDeclaration(f"{file}: not valid TOML: {first_line(error)}") from None


def read(kind: type[AnyDeclaration], file: Path) -> AnyDeclaration:
    """Return the validated declaration of that kind; `BadDeclaration` if the file is absent or invalid."""
    return validated(kind, read_toml(file), file)


def validated(kind: type[AnyDeclaration], values: dict[str, Any], file: Path) -> AnyDeclaration:
    """Validate values read from `file`.

    `BadDeclaration` names the file, the first offending key, and the nearest valid one.
    """
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise BadDeclaration(f"{file}: {problem_of(kind, error)}") from None


def problem_of(kind: type[Declaration], error: ValidationError) -> str:
    """Return the first problem of values that are no declaration of that kind, in words."""
    # A misspelt key is also a missing one; the former says more.
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "value_error":  # of a validator of ours
        return f"key {key!r}: {first['ctx']['error']}"
    if first["type"] != "extra_forbidden":
        return f"key {key!r}: {first['msg'][0].lower()}{first['msg'][1:]}"
    nearest = _nearest(kind, [str(part) for part in first["loc"] if isinstance(part, str)])
    return f"unknown key {key!r}" + (f"; did you mean {nearest!r}?" if nearest else "")


def _nearest(kind: type[BaseModel], key: Sequence[str]) -> str:
    """Return the valid key that is most like this one: of its own table, or else the path of another's."""
    *table, name = key
    own: dict[str, str] = {}
    elsewhere: dict[str, str] = {}
    for path in _keys(kind):
        is_own = len(path) == len(key) and all(part in (_ANY, at) for part, at in zip(path, table, strict=False))
        (own if is_own else elsewhere)[path[-1]] = path[-1] if is_own else ".".join(path)
    for known, alike in ((own, 0.4), (elsewhere, 0.8)):
        for near in difflib.get_close_matches(name, known, n=1, cutoff=alike):
            return known[near]
    return ""


def _keys(kind: type[BaseModel], table: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the paths of all keys of a declaration and of the declarations inside it; _ANY is a name of the user's."""
    for name, field in kind.model_fields.items():
        yield (*table, name)
        named = (_ANY,) if get_origin(field.annotation) is dict else ()
        for inner in (field.annotation, *get_args(field.annotation)):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from _keys(inner, (*table, name, *named))
