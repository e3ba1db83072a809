# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names of anything as names of files: a foreign tree or results folder may call things as it likes."""

from __future__ import annotations

import hashlib
import re

_LONGEST = 80


def slug(text: str) -> str:
    """A file name for `text`, plain on every system; different texts get different names."""
    if len(text) <= _LONGEST and re.fullmatch(r"[a-z0-9_][a-z0-9T._-]*", text):  # the T of a run's date
        return text
    plain = re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip(".-")[:_LONGEST]
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def system_page(operation: str, primitive: str) -> str:
    """Where a primitive's page stands in the site."""
    return f"systems/{slug(operation)}/{slug(primitive)}.html"


def machine_page(machine: str) -> str:
    """Where a machine's page stands in the site."""
    return f"machines/{slug(machine)}.html"


def data_name(*parts: str) -> str:
    """The key of a data file, which stands at data/<key>.js: a kind, then what it is about."""
    kind, *rest = parts
    return f"{kind}/{'.'.join(slug(part) for part in rest)}"
