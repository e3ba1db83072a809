# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether run.json of a run that somebody sent describes a measurement: one odd value would stop every later site."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from cyclometer.errors import CyclometerError, first_line
from cyclometer.records.grid import keys_of, lengths_of
from cyclometer.untrusted import printable, shortened

MAX_BYTES = 4 << 20  # a run of everything has some hundred thousand
LONG_RUN = datetime.timedelta(days=30)
MAX_AHEAD = datetime.timedelta(days=1)
FIRST_YEAR = 2006  # of the first benchmark of this kind

_Text = Annotated[str, StringConstraints(max_length=4000)]
_Word = Annotated[str, StringConstraints(pattern=r"^[\w.+-]{1,100}\z")]
_Rate = Annotated[float, Field(ge=1e3, le=1e12)]


class _Record(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _Counter(_Record):
    name: _Word
    unit: Literal["core cycles", "TSC ticks", "timer ticks", "ns"]
    per_second: _Rate
    chain_cycles: Annotated[float, Field(ge=1, le=1e9)]
    core_hertz: _Rate | None = None
    resolution: Annotated[float, Field(gt=0, le=1e9)] = 1.0
    dither_cycles: Annotated[float, Field(ge=0, le=1e9)] = 0.0
    read_gap: Annotated[float, Field(ge=0, le=1e9)] = 0.0
    quiet_ratio: Annotated[float, Field(gt=0, le=1e3)] | None = None


class _Asked(_Record):
    lengths: _Text = ""
    keys: _Text = ""


class _Plan(_Record):
    options: _Asked = _Asked()
    pair: list[_Text] | None = None


class _Described(_Record):
    id: _Word
    label: _Text
    profile: _Word
    version: _Word
    started: AwareDatetime
    finished: AwareDatetime
    command: list[_Text]
    counter: _Counter
    facts: dict[_Text, _Text]
    compilers: dict[_Text, _Text]
    primitives: dict[_Text, dict[_Text, Any]]
    plan: _Plan


def wrong_description(content: bytes) -> str:
    """Say what in run.json no measurement can have written; '' if there is nothing of the kind."""
    try:
        described = _Described.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"its run.json: {shortened('.'.join(map(str, first['loc'])))}: {printable(first['msg'])[:200]}"
    return _wrong_dates(described) or _wrong_request(described.plan.options)


def _wrong_dates(described: _Described) -> str:
    if not described.started <= described.finished <= described.started + LONG_RUN:
        return "it ended before it began, or took more than a month"
    if described.started.year < FIRST_YEAR:
        return f"it began before {FIRST_YEAR}"
    return "it ends in the future" if described.finished > datetime.datetime.now(datetime.UTC) + MAX_AHEAD else ""


def _wrong_request(asked: _Asked) -> str:
    """Say which values it cannot have been asked to measure; tables have a column for each."""
    try:
        lengths_of(asked.lengths)
        keys_of(asked.keys)
    except CyclometerError as error:
        return shortened(first_line(error), 200)
    return ""
