# SPDX-License-Identifier: MIT OR Apache-2.0
"""A tool that is not there: a skip on somebody's machine, a failure in CI, where nothing may go untested."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def is_missing(what: str) -> NoReturn:
    """Ends the test."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def need(tool: str) -> None:
    """Ends the test unless the tool is installed."""
    if not shutil.which(tool):
        is_missing(f"{tool} is not installed")
