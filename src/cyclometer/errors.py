# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every error a user can meet: one line that names the thing and the remedy.

Only what the user can mend is an exception. What an implementation, a compiler
or a library does wrong is a `model.Failure`, a record like any other.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CyclometerError(Exception):
    """Bad input. The command line prints it as one line and exits with `exit_status`."""

    exit_status = 2


class UnknownName(CyclometerError):
    """A name that stands for nothing; says which known one is nearest."""

    def __init__(self, kind: str, name: str, known: Iterable[str], remedy: str = "") -> None:
        near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        super().__init__(f"unknown {kind} {name!r}{hint}" + (f" ({remedy})" if remedy else ""))


class BadDeclaration(CyclometerError):
    """A TOML or JSON file of the tree that does not say what it must."""


class NothingToDo(CyclometerError):
    """The selection is empty, or nothing in it can be built or run here."""


class MachineUnfit(CyclometerError):
    """No compiler, no counter, no sandbox: says what to install or switch on."""


class StorageFailed(CyclometerError):
    """The results folder cannot be written or read: unwritable, full, corrupt."""


class BadVectors(CyclometerError):
    """A vector file that is not in the documented format."""
