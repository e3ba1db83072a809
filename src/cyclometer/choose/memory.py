# SPDX-License-Identifier: MIT OR Apache-2.0
"""Remembers which tuning of a primitive was chosen last on this CPU."""

from __future__ import annotations

import hashlib
from pathlib import Path

from cyclometer.model import Subject


class ChoiceMemory:
    """One small file a primitive below `folder`; `identity` names the CPU."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = folder / "choices" / hashlib.sha256(identity.encode()).hexdigest()[:16]

    def recall(self, operation: str, primitive: str) -> Subject | None:
        """The tuning chosen last, or None."""
        place = self._place(operation, primitive)
        words = place.read_text(encoding="utf-8").split("\n") if place.exists() else []
        if len(words) != 2:
            return None
        return Subject(operation=operation, primitive=primitive, implementation=words[0], compiler=words[1])

    def remember(self, subject: Subject) -> None:
        """Keeps the choice."""
        if self.recall(subject.operation, subject.primitive) == subject:
            return
        place = self._place(subject.operation, subject.primitive)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{subject.implementation}\n{subject.compiler}", encoding="utf-8")

    def _place(self, operation: str, primitive: str) -> Path:
        return self.folder / f"{operation}-{primitive}"
