# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of those values of run.json that commands read, below its keys: anything else may stand beside them.

Whatever a run was stored by, and whoever has changed it, a command that shows it must not find a list for a number.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Number = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Year = Annotated[int, Field(ge=1, le=9999)]
Day = Annotated[str, Field(pattern=r"^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$")]
Power = Annotated[str, Field(pattern=r"^2\^-?\d{1,5}(\.\d{1,9})?( \w+)?$")]


class _Open(BaseModel):
    """Base of the others: other keys are let pass, values are not coerced."""

    model_config = ConfigDict(extra="allow", strict=True)


class Attack(_Open):
    """An attack on record."""

    who: list[str] = Field(default_factory=list)
    year: Year | None = None
    published: Day | None = None
    breaks: str = ""
    cost: str = ""
    model: str = ""
    time: Power | None = None
    data: Power | None = None
    memory: Power | None = None
    probability: Power | None = None
    keys: str = ""
    remaining_bits: Number = 0
    disputed: str = ""
    citation: str = ""
    checked: bool = False


class Declared(_Open):
    """What a system declares; in imported runs, the goal of each tuning beside it."""

    description: str = ""
    associated_data: bool | None = None
    max_bytes: int | None = None
    max_ad_bytes: int | None = None
    designers: list[str] = Field(default_factory=list)
    year: Year | None = None
    source: str = ""
    security_bits: Number | None = None
    security_bits_quantum: Number | None = None
    security_source: str = ""
    model: str = ""
    block_bits: Number | None = None
    forgery_bits: Number | None = None
    data_limit: Power | None = None
    data_limit_source: str = ""
    licence: str = ""
    composition: str | None = None
    tag_bytes: int | None = None
    attacks: list[Attack] = Field(default_factory=list)
    goals: dict[str, str] = Field(default_factory=dict)


class Counter(_Open):
    """The counter by which the run was measured."""

    name: str = ""
    unit: str = ""


class Plan(_Open):
    """What a resumed run must not change."""

    options: dict[str, Any] = Field(default_factory=dict)
    plan: dict[str, Any] = Field(default_factory=dict)
    imported: dict[str, str] = Field(default_factory=dict)
    pair: list[str] = Field(default_factory=list)


class Shape(_Open):
    """run.json, as far as its own values have parts."""

    counter: Counter
    primitives: dict[str, Declared]
    plan: Plan
