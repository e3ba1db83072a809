# SPDX-License-Identifier: MIT OR Apache-2.0
"""Data files that a page loads on demand: scripts, since file:// pages may not fetch.

data/<key>.js calls cyclometer.deliver(key, value). Long series are stored as gzipped little-endian numbers in base64,
short ones as lists; assets/data.js unpacks both.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.ranking import Spread

_KINDS = {"f4": "<f4", "i4": "<i4", "i2": "<i2", "u1": "u1"}


SHORT = 24
"""Values up to which a list is smaller than what gzip and base64 add."""


def pack(values: npt.ArrayLike, kind: str) -> dict[str, Any]:
    """Encode an array for JSON: {"kind": "f4", "gzip": base64}, or {"kind": "f4", "list": numbers, null for NaN}."""
    numbers = np.asarray(values).astype(_KINDS[kind])
    if len(numbers) <= SHORT:
        return {"kind": kind, "list": [short(number) for number in numbers.tolist()]}
    content = numbers.tobytes()
    return {"kind": kind, "gzip": base64.b64encode(gzip.compress(content, 1, mtime=0)).decode("ascii")}


def short(number: float, digits: int = 7) -> float | None:
    """Return a number with so many digits, of which 32 bits have seven; None for NaN."""
    if isinstance(number, int):
        return number
    return float(f"{number:.{digits}g}") if math.isfinite(number) else None


def spreads_data(spreads: Mapping[str, Spread]) -> dict[str, dict[str, float]]:
    """Return A/A spreads by measure as JSON: measure -> {"quiet", "every"}."""
    return {measure: asdict(spread) for measure, spread in spreads.items()}


def script(value: Any) -> str:
    """Encode a value as JSON that is safe inside a script, in its own file or in a page."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def write_data(folder: Path, key: str, value: Any) -> None:
    """Write data/<key>.js in the site's folder."""
    path = folder / "data" / f"{key}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"cyclometer.deliver({script(key)},{script(value)});\n", encoding="ascii")
