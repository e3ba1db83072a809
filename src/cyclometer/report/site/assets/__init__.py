# SPDX-License-Identifier: MIT OR Apache-2.0
"""The style sheet and scripts of the site: the files of this folder, and bokeh's scripts."""

from __future__ import annotations

import shutil
from pathlib import Path

from bokeh.util.paths import static_path

BOKEH = ("bokeh.min.js", "bokeh-gl.min.js")
LIVE_ONLY = {"live.js"}


def write(folder: Path, *, live: bool) -> None:
    """Copy style sheet and scripts to <folder>/assets."""
    target = folder / "assets"
    target.mkdir()
    for path in sorted(Path(__file__).parent.iterdir()):
        if path.suffix in {".css", ".js", ".svg"} and (live or path.name not in LIVE_ONLY):
            shutil.copyfile(path, target / path.name)
    scripts = Path(static_path()) / "js"
    for name in BOKEH:
        shutil.copyfile(scripts / name, target / name)
