# SPDX-License-Identifier: MIT OR Apache-2.0
"""Data a page asks for later: a script that hands over one value, since file:// pages may not fetch.

data/<key>.js calls cyclometer.deliver(key, value). Long series travel as
base64 of gzip of little-endian numbers; assets/data.js unpacks them.
"""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_KINDS = {"f4": "<f4", "i4": "<i4", "i2": "<i2", "u1": "u1"}


def pack(values: npt.ArrayLike, kind: str) -> dict[str, str]:
    """An array as JSON: {"kind": "f4", "gzip": base64}."""
    content = np.asarray(values).astype(_KINDS[kind]).tobytes()
    return {"kind": kind, "gzip": base64.b64encode(gzip.compress(content, 1, mtime=0)).decode("ascii")}


def script(value: Any) -> str:
    """JSON that may stand inside a script, in a file of its own or in a page."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def write_data(folder: Path, key: str, value: Any) -> None:
    """Write data/<key>.js below the site's folder."""
    path = folder / "data" / f"{key}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"cyclometer.deliver({script(key)},{script(value)});\n", encoding="ascii")
