# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where bundles go (a folder, the work tree of a git repository, the server of a collection), and submissions."""

from __future__ import annotations

import hashlib
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from cyclometer.errors import CyclometerError, first_line
from cyclometer.store import storage, write_whole

SECONDS = 600
HTTP = ("http://", "https://")
SIGNATURE = "X-Signature"
"""The header with the signature of a submission, in the format of `ssh-keygen -Y sign`, as base64."""


def hand_on(content: bytes, target: str) -> str:
    """Hand the bundle to a folder, to `git:` and a work tree, or to a URL; return what became of it."""
    if target.startswith(HTTP):
        return _to_server(content, target)
    if not target or "://" in target:
        raise CyclometerError(f"cannot publish to {target!r}; name a folder, git:CLONE, or an address with http(s)://")
    if target.startswith("git:"):
        return _to_git(content, Path(target.removeprefix("git:")))
    return f"wrote {_to_folder(content, Path(target))}"


def hand_in(content: bytes, name: str, url: str, signature: str) -> str:
    """Hand an archive to the server of a collection as a submission; return its number there."""
    query = urllib.parse.urlencode({"name": name})
    unlike = "does not take submissions"
    return _posted(url, f"submissions?{query}", content, "submission", _Taken, unlike, signature).submission


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
    answer = _posted(url, "bundles", content, "bundle", _Stored, "does not answer as a collection")
    return f"{url} stored {', '.join(answer.stored)}"


class _Stored(BaseModel):
    stored: list[str]


class _Taken(BaseModel):
    submission: str


class _Refused(BaseModel):
    refused: str


_Answer = TypeVar("_Answer", _Stored, _Taken)


def _posted(
    url: str, path: str, content: bytes, what: str, kind: type[_Answer], unlike: str, signature: str = ""
) -> _Answer:
    """Post a tar archive; return the answer. `unlike` says what another server does not do."""
    if not url.startswith(HTTP):
        raise CyclometerError(f"{url} is not the address of a server; it begins with http:// or https://")
    request = urllib.request.Request(f"{url.rstrip('/')}/{path}", data=content, method="POST")
    request.add_header("Content-Type", "application/x-tar")
    if signature:
        request.add_header(SIGNATURE, signature)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return kind.model_validate_json(answer.read(1 << 20))
    except urllib.error.HTTPError as error:
        raise CyclometerError(f"{url} refuses the {what}: {_reason(error)}") from None
    except ValidationError:
        raise CyclometerError(f"{url} {unlike}: it answers with something else; is the address right?") from None
    except (OSError, ValueError, HTTPException) as error:
        cause = getattr(error, "reason", error)
        raise CyclometerError(f"{url} {unlike}: {getattr(cause, 'strerror', '') or first_line(cause)}") from None


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return _Refused.model_validate_json(error.read(1 << 16)).refused
    except (OSError, HTTPException, ValidationError):
        return f"HTTP status {error.code}"
