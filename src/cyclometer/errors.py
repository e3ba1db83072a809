# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every error a user can meet: one line that names the thing and the remedy.

Only what the user can remedy is an exception. What an implementation, a compiler
or a library does wrong is a `Failure`, a record like any other.
"""

from __future__ import annotations

import difflib
import errno
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class CyclometerError(Exception):
    """An error that the command line prints as one line before it exits with `exit_status`."""

    exit_status = 2


class UnknownName(CyclometerError):
    """A name that does not exist; the message suggests the nearest valid one."""

    def __init__(self, kind: str, name: str, valid: Iterable[str], remedy: str = "", near: str = "") -> None:
        """`near` is what may be meant if the `remedy` says so; otherwise it is looked for among the `valid` names."""
        nearest_valid = nearest(name, valid)
        self.kind, self.near = kind, near or nearest_valid
        hint = f"; did you mean {nearest_valid!r}?" if nearest_valid else ""
        super().__init__(f"unknown {kind} {name!r}{hint}" + (f" ({remedy})" if remedy else ""))


ALIKE = 0.66
"""How alike two names must be, from 0 to 1, for one to be a slip of the other: two of three letters."""


FEW_NAMES = 8
"""Names that a message lists; of more it names the first, as examples."""


def some_of(names: Iterable[str], everything: str = "") -> str:
    """Return valid names for a message: all if they are few, else some, and how to see `everything`."""
    every = sorted(set(names))
    if len(every) <= FEW_NAMES:
        return f"there {'is' if len(every) == 1 else 'are'} {', '.join(every) or 'none'}"
    step = len(every) / FEW_NAMES
    some = ", ".join(every[int(number * step)] for number in range(FEW_NAMES))
    return f"such as {some}" + (f"; {everything} lists all" if everything else "")


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return the valid name that was probably meant, whatever its capitals; '' for a path, or if none is alike."""
    if "/" in name.strip("/") and not name.startswith("crypto_"):
        return ""
    lower = {each.lower(): each for each in valid}
    near = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=ALIKE)
    return lower[near[0]] if near else ""


def letters(name: str) -> str:
    """Reduce a name to its letters and digits: sha-256 and SHA256 are one name."""
    return re.sub("[^a-z0-9]", "", name.lower())


class BadDeclaration(CyclometerError):
    """A TOML or JSON file of the tree that lacks something, or has an invalid value."""


class NothingToDo(CyclometerError):
    """The selection is empty, or nothing in it can be built or run here."""


class MachineUnfit(CyclometerError):
    """No compiler, no counter or no sandbox; the message says what to install or switch on."""


class StorageFailed(CyclometerError):
    """A file or folder that cannot be read or written, or is corrupt."""


class UnusableRun(StorageFailed):
    """A run that arrived and will never be stored: incomplete, damaged, or of another machine than the one asked."""


class RefusedFile(CyclometerError):
    """A file or folder from elsewhere that is not read: a link out of the tree, a device, too large, unreadable."""


class BadSignature(CyclometerError):
    """A signature that does not belong to what it is beside, or is not in the format of OpenSSH."""


class BadVectors(CyclometerError):
    """A vector file that is not in the documented format."""


_REMEDIES = {
    errno.ENOSPC: "the disk is full; free some space and repeat (a run: `cyclometer run --resume`)",
    errno.EDQUOT: "the disk quota is used up; free some space and repeat (a run: `cyclometer run --resume`)",
    errno.EFBIG: "the file would exceed the size limit; raise the limit and repeat (a run: `cyclometer run --resume`)",
    errno.EACCES: "not permitted; choose another folder (--results, or -o)",
    errno.EPERM: "not permitted; choose another folder (--results, or -o)",
    errno.EROFS: "the file system is read-only; choose another folder (--results, or -o)",
    errno.ENOTDIR: "a part of the path is a file, not a folder; choose another folder (--results, or -o)",
    errno.EISDIR: "it is a folder; name a file",
    errno.EEXIST: "something else has that name; move it away or choose another folder (--results, or -o)",
    errno.ENOENT: "it does not exist",
}


@contextmanager
def on_disk(verb: str, path: Path) -> Iterator[None]:
    """Turn an OSError about `path` into a StorageFailed line with its remedy; `verb` is "read" or "write"."""
    try:
        yield
    except OSError as error:
        reason = _REMEDIES.get(error.errno or 0) or first_line(error)
        raise StorageFailed(f"cannot {verb} {path}: {reason}") from error


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, or its type if it has none."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
