# SPDX-License-Identifier: MIT OR Apache-2.0
"""The style sheet and scripts of the site: the files of this folder, and those of uPlot in uplot/.

uPlot 1.6.32 (MIT licence) draws the graphs; SHA-256 of its script:
19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f.
"""

from __future__ import annotations

import shutil
from pathlib import Path

LIVE_ONLY = {"live.js"}


def write(folder: Path, *, live: bool) -> None:
    """Copy style sheets and scripts to <folder>/assets."""
    target = folder / "assets"
    target.mkdir()
    here = Path(__file__).parent
    for path in sorted([*here.iterdir(), *(here / "uplot").iterdir()]):
        if path.suffix in {".css", ".js", ".svg"} and (live or path.name not in LIVE_ONLY):
            shutil.copyfile(path, target / path.name)
