# SPDX-License-Identifier: MIT OR Apache-2.0
"""A digest of the code that makes numbers, so that what an older version computed is not taken for this one's."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

import cyclometer

_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([^\n]*))", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")


@cache
def code_digest(root: Path = Path(cyclometer.__file__).parent, package: str = "analyse") -> str:
    """Hash the Python and SQL files below root/package, and the modules below `root` that they import in turn."""
    found: set[Path] = set()
    waiting = [path for suffix in ("py", "sql") for path in (root / package).rglob(f"*.{suffix}")]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path, root) if path.suffix == ".py" else []
    digests = [f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(found)]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _imported(path: Path, root: Path) -> list[Path]:
    modules: list[str] = []
    for origin, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        modules += [origin, *(f"{origin}.{name}" for name in _NAME.findall(names))] if origin else _NAME.findall(plain)
    ours = [module.split(".")[1:] for module in modules if module.startswith(f"{root.name}.")]
    files = [root.joinpath(*parts, "__init__.py") for parts in ours]
    files += [root.joinpath(*parts[:-1], f"{parts[-1]}.py") for parts in ours]
    return [file for file in files if file.is_file()]
