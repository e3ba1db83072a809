# SPDX-License-Identifier: MIT OR Apache-2.0
"""Safe file names for arbitrary names, which foreign trees and results may contain."""

from __future__ import annotations

import hashlib
import re

_LONGEST = 80


def slug(text: str) -> str:
    """Return a file name for `text` that is valid on every system; different texts get different names."""
    if len(text) <= _LONGEST and re.fullmatch(r"[a-z0-9_][a-z0-9T._-]*", text):  # the T of a run's date
        return text
    plain = re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip(".-")[:_LONGEST]
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def system_page(operation: str, primitive: str) -> str:
    """Return the path of a system's page in the site."""
    return f"systems/{slug(operation)}/{slug(primitive)}.html"


def machine_page(machine: str) -> str:
    """Return the path of a machine's page in the site."""
    return f"machines/{slug(machine)}.html"


def tables_page(operation: str, machine: str = "") -> str:
    """Return the path of the page with an operation's tables in the site, all of them or those of one machine."""
    return f"tables/{slug(operation)}{f'.{slug(machine)}' if machine else ''}.html"


def data_name(*parts: str) -> str:
    """Return the key of the data file data/<key>.js: its kind, then its subject."""
    kind, *rest = parts
    return f"{kind}/{'.'.join(slug(part) for part in rest)}"
