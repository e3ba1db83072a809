# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where bundles go: a folder, the work tree of a git repository, or the server of a collection."""

from __future__ import annotations

import hashlib
import json
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from cyclometer.errors import CyclometerError, first_line
from cyclometer.store import storage, write_whole

SECONDS = 600
HTTP = ("http://", "https://")


def hand_on(content: bytes, target: str) -> str:
    """Hand the bundle to a folder, to `git:` and a work tree, or to a URL; return what became of it."""
    if target.startswith(HTTP):
        return _to_server(content, target)
    if target.startswith("git:"):
        return _to_git(content, Path(target.removeprefix("git:")))
    return f"wrote {_to_folder(content, Path(target))}"


def _to_folder(content: bytes, folder: Path) -> Path:
    file = folder / f"{hashlib.sha256(content).hexdigest()[:32]}.cyclometer.tar"
    with storage("write", folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_whole(file, lambda temporary: temporary.write_bytes(content))
    return file


def _to_git(content: bytes, tree: Path) -> str:
    if not (tree / ".git").exists():
        raise CyclometerError(f"{tree} is not the work tree of a git repository; clone it, then name the clone")
    file = _to_folder(content, tree / "bundles")
    name = str(file.relative_to(tree))
    for arguments in (["add", "--", name], ["commit", "--quiet", "-m", f"Add {file.name}", "--", name]):
        ended = subprocess.run(["git", "-C", tree, *arguments], capture_output=True, text=True, check=False)
        if ended.returncode:
            words = (ended.stderr or ended.stdout).strip().splitlines() or ["no reason"]
            raise CyclometerError(f"git {arguments[0]} in {tree}: {words[-1]}")
    return f"committed {name} in {tree}; `git push` hands it on"


def _to_server(content: bytes, url: str) -> str:
    request = urllib.request.Request(f"{url.rstrip('/')}/bundles", data=content, method="POST")
    request.add_header("Content-Type", "application/x-tar")
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            stored = json.loads(answer.read(1 << 20))["stored"]
    except urllib.error.HTTPError as error:
        raise CyclometerError(f"{url} refuses the bundle: {_reason(error)}") from None
    except (OSError, ValueError, KeyError) as error:
        raise CyclometerError(f"{url} does not answer as a collection: {first_line(error)}") from None
    return f"{url} stored {', '.join(map(str, stored))}"


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read(1 << 16))["refused"])
    except (ValueError, KeyError):
        return f"HTTP status {error.code}"
