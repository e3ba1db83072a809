# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a command leaves out, each line once; printed at its end, or as a part of its error."""

from __future__ import annotations

notes: dict[str, None] = {}
