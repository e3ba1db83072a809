# SPDX-License-Identifier: MIT OR Apache-2.0
"""What one round of a study of a library's layers reports, over the in-process queue with 45 bytes.

report = study_report(folder, build_cache, "tls", needs=("libssl",), remedy="needs OpenSSL (Debian: ...)")
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.command_line import CommandLine
from support.small_tree import SmallTree


def study_report(folder: Path, cache: Path, study: str, *, needs: Sequence[str], remedy: str) -> dict[str, Any]:
    """Measure a study in a small tree; return its JSON. Skips the test with the remedy where a library is missing."""
    if subprocess.run(["pkg-config", "--exists", *needs], check=False).returncode:
        pytest.skip(remedy)
    tree = SmallTree.grow(folder / "tree", "crypto_hash/sha-1/ref")
    tree.copy("protocols")
    command = CommandLine(tree=tree.root, cache=cache, results=folder / "results")
    words = (study, "--rounds", "1", "--transport", "queue", "--payload", "45", "--format", "json")
    result = command("protocol", *words)
    assert result.status == 0, result.stderr
    content: dict[str, Any] = json.loads(result.stdout)
    return content
