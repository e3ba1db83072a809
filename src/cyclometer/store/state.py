# SPDX-License-Identifier: MIT OR Apache-2.0
"""What one command leaves for a later one to go on with: JSON that is read as records of exactly its kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from cyclometer.errors import StorageFailed, first_line
from cyclometer.store.files import read_whole
from cyclometer.untrusted import printable, shortened

EXACT = ConfigDict(extra="forbid", strict=True)

AnyState = TypeVar("AnyState")


class State(BaseModel):
    """What a file holds: exactly these keys, and values of exactly their kinds."""

    model_config = EXACT


def read_state(kind: type[AnyState], file: Path, remedy: str) -> AnyState:
    """Return the state in a file; `StorageFailed` names the file, what is wrong there, and the remedy."""
    return _validated(kind, read_whole(file), str(file), remedy)


def state_of(kind: type[AnyState], value: object, where: str, remedy: str) -> AnyState:
    """Return the state that a value of JSON is; `StorageFailed` names `where` it stands, as `read_state` does."""
    return _validated(kind, json.dumps(value).encode(), where, remedy)


def _validated(kind: type[AnyState], content: bytes, where: str, remedy: str) -> AnyState:
    try:
        return TypeAdapter(kind).validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = shortened(".".join(map(str, first["loc"])))
        raise StorageFailed(f"{where}: {f'{key}: ' if key else ''}{printable(first['msg'])}; {remedy}") from None
    except (ValueError, RecursionError) as error:
        raise StorageFailed(f"{where}: {first_line(error)}; {remedy}") from None
