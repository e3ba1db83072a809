# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which keys are trusted for what, and when: a file of public keys, or of OpenSSH's allowed signers.

ssh-ed25519 AAAA...                                                          for everything, always
anna namespaces="runs@cyclometer",valid-before="20270101Z" ssh-ed25519 AAAA...   as ssh-keygen(1) describes it
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from cyclometer.errors import BadSignature, CyclometerError, RefusedFile
from cyclometer.signing.keys import fingerprint, public_key
from cyclometer.untrusted import MAX_HEADER, read_text

_OPTIONS = ("namespaces", "valid-after", "valid-before")
_OPTION = re.compile(r'([a-z-]+)(?:="([^"]*)")?(?:,|$)')
_TIMES = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}


@dataclass(frozen=True, kw_only=True)
class TrustedKey:
    """A key, and what limits the trust in it."""

    key: str  # ssh-ed25519 and the key in base64
    namespaces: tuple[str, ...] = ()  # patterns; none: every namespace
    valid_after: datetime.datetime | None = None
    valid_before: datetime.datetime | None = None

    def refusal(self, namespace: str, now: datetime.datetime) -> str:
        """Return why a signature in a namespace is not accepted now, or ''."""
        name = fingerprint(self.key)
        if self.namespaces and not any(fnmatchcase(namespace, pattern) for pattern in self.namespaces):
            return f"the key {name} is trusted here for {', '.join(self.namespaces)}, not for {namespace}"
        if self.valid_after and now < self.valid_after:
            return f"the key {name} is trusted here from {self.valid_after:%Y-%m-%d %H:%M} UTC on"
        if self.valid_before and now.replace(microsecond=0) > self.valid_before:  # "at or before", to the second
            return f"the key {name} was trusted here until {self.valid_before:%Y-%m-%d %H:%M} UTC"
        return ""


def read_trusted(text: str) -> tuple[TrustedKey, ...]:
    """Read the lines of a file; comments and blank lines are skipped. `BadSignature` names the line that is wrong."""
    numbered = enumerate(text.splitlines(), 1)
    return tuple(_read(line.split(), number) for number, line in numbered if line.strip() and line.lstrip()[0] != "#")


@dataclass(frozen=True)
class TrustedFile:
    """The keys of a file, read anew each time: what a server trusts while it runs follows the file.

    CyclometerError if the file cannot be read or has a wrong line; then nobody is trusted.
    """

    path: Path

    def __iter__(self) -> Iterator[TrustedKey]:
        """Read the file."""
        try:
            return iter(read_trusted(read_text(self.path, limit=MAX_HEADER)))
        except BadSignature as error:
            raise CyclometerError(f"{self.path}: {error}") from None
        except RefusedFile as error:
            raise CyclometerError(str(error)) from None


def refusal(trusted: Iterable[TrustedKey], key: str, namespace: str) -> str:
    """Return why a signature by a key is not accepted now, or ''; one of several lines about a key is enough."""
    now = datetime.datetime.now(datetime.UTC)
    reasons = [each.refusal(namespace, now) for each in trusted if each.key == key]
    return min(reasons, default=f"the key {fingerprint(key)} is not trusted here")


def _read(words: list[str], number: int) -> TrustedKey:
    start = next((index for index, word in enumerate(words) if word.startswith("ssh-")), -1)
    if start < 0 or start > 2:
        raise BadSignature(f"line {number} has no public key; one begins with ssh-ed25519")
    key = " ".join(words[start : start + 2])
    try:
        public_key(key)
    except BadSignature:
        raise BadSignature(f"line {number} has no Ed25519 key; make one by ssh-keygen -t ed25519") from None
    return TrustedKey(key=key, **(_limits(words[1], number) if start == 2 else {}))


def _limits(text: str, number: int) -> dict[str, Any]:
    """Read the options of a line; an unknown one is an error, because it would limit the trust."""
    found: dict[str, Any] = {}
    at = 0
    while at < len(text):
        option = _OPTION.match(text, at)
        if not option or option[1] not in _OPTIONS or not option[2]:
            raise BadSignature(f"line {number}: {text[at:]!r} is not one of {', '.join(_OPTIONS)}")
        value = option[2]
        is_time = option[1] != "namespaces"
        found[option[1].replace("-", "_")] = _time(value, number) if is_time else tuple(value.split(","))
        at = option.end()
    return found


def _time(text: str, number: int) -> datetime.datetime:
    """Return a time: in UTC if it ends with Z, else in the time zone of this machine."""
    digits = text.removesuffix("Z")
    try:
        time = datetime.datetime.strptime(digits, _TIMES[len(digits)])
        return time.replace(tzinfo=datetime.UTC) if text != digits else time.astimezone(datetime.UTC)
    except (KeyError, ValueError, OverflowError):
        example = "write 20270101Z or 202701011200Z; without Z it is in this machine's time zone"
        raise BadSignature(f"line {number}: {text!r} is not a time; {example}") from None
