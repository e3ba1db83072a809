# SPDX-License-Identifier: MIT OR Apache-2.0
"""A digest of the code that computes numbers, so that cached results of another version are not used."""

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
    files: set[Path] = set()
    pending = [path for suffix in ("py", "sql") for path in (root / package).rglob(f"*.{suffix}")]
    while pending:
        path = pending.pop()
        if path not in files:
            files.add(path)
            pending += _imported(path, root) if path.suffix == ".py" else []
    digests = [f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(files)]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _imported(path: Path, root: Path) -> list[Path]:
    modules: list[str] = []
    for origin, names, imported in _IMPORT.findall(path.read_text(encoding="utf-8")):
        modules += (
            [origin, *(f"{origin}.{name}" for name in _NAME.findall(names))] if origin else _NAME.findall(imported)
        )
    own_modules = [module.split(".")[1:] for module in modules if module.startswith(f"{root.name}.")]
    paths = [root.joinpath(*parts, "__init__.py") for parts in own_modules]
    paths += [root.joinpath(*parts[:-1], f"{parts[-1]}.py") for parts in own_modules]
    return [file for file in paths if file.is_file()]
