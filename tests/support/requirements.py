# SPDX-License-Identifier: MIT OR Apache-2.0
"""Requirements of tests: a missing tool skips a test on a user's machine and fails it in CI."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def is_missing(what: str) -> NoReturn:
    """Skip the test, or fail it in CI."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def need(tool: str) -> None:
    """Skip the test, or fail it in CI, unless the tool is installed."""
    if not shutil.which(tool):
        is_missing(f"{tool} is not installed")
