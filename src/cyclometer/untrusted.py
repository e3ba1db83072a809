# SPDX-License-Identifier: MIT OR Apache-2.0
"""What strangers wrote: their files are read with limits, their names are shown without effect.

Nothing here follows a link out of the tree, waits for a pipe, opens a device, or reads without end.
"""

from __future__ import annotations

import codecs
import itertools
import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from cyclometer.errors import RefusedFile

MEGABYTE = 1 << 20
MAX_FILE = 64 * MEGABYTE  # bytes of a source file
MAX_HEADER = MEGABYTE  # bytes of a file of declarations: api.h, META.yml, TOML
MAX_VECTORS = 64 * MEGABYTE  # bytes of a file of vectors
MAX_LINE_FILE = 1 << 16  # bytes of a file of a few words: checksums, architectures, version
MAX_FILES = 20_000  # of one implementation
MAX_DEPTH = 32  # of the folders of one implementation
MAX_ENTRIES = 1_000_000  # files and folders that the search for implementations may meet

_NAME = re.compile(r"[\w.+-]+(/[\w.+-]+)*")
_MAX_NAME = 200  # bytes of a part of a name, to which headers add a prefix and a suffix: files have at most 255
_MAX_PATH = 600


def printable(text: object, *, keep: str = "") -> str:
    """Return the text on one line, with \\x1b for the escape character and the like.

    Control characters, bidirectional overrides, characters without a width, and bytes that are not UTF-8 lose their
    effect; those in `keep` stay.
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escaped(c) for c in text)


def shortened(text: object, limit: int = 100) -> str:
    """Return the text as `printable` does, at most `limit` characters of it followed by '...'."""
    text = str(text)
    return printable(text[:limit]) + ("..." if len(text) > limit else "")


def _escaped(character: str) -> str:
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file name that is not UTF-8
        number -= 0xDC00
    return character.encode("unicode_escape").decode() if number == ord(character) else f"\\x{number:02x}"


def name_problem(name: str) -> str:
    """Return why a folder's name cannot be that of a system or an implementation, or ''."""
    if not _NAME.fullmatch(name):
        return "its name has characters other than letters, digits and _ . + -; rename its folder"
    if len(name.encode()) > _MAX_PATH or any(len(part.encode()) > _MAX_NAME for part in name.split("/")):
        return f"its name has more than {_MAX_NAME} bytes; rename its folder"
    return ""


def name_is_not_utf8(name: str) -> bool:
    """Return whether the name of a file has bytes that are not UTF-8, which Python represents by surrogates."""
    return any("\ud800" <= character <= "\udfff" for character in name)


def is_file(path: Path, inside: Path) -> bool:
    """Return whether this is a regular file in the tree `inside`, which must be resolved, or a link to one."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and is_inside(path, inside)
    except (OSError, ValueError):
        return False


def is_inside(path: Path, inside: Path) -> bool:
    """Return whether a path, its links followed, lies in the tree `inside`, which must be resolved."""
    return Path(os.path.realpath(path)).is_relative_to(inside)


def with_suffixes(folder: Path, suffixes: Sequence[str]) -> list[Path]:
    """Return what is in a folder under names with one of these suffixes, sorted; hidden names are left out.

    They are an editor's or a system's: Emacs leaves the link .#hash.c to nothing, macOS the binary file ._hash.c.
    """
    return sorted(path for path in folder.iterdir() if path.suffix in suffixes and not path.name.startswith("."))


def is_folder(path: Path | str) -> bool:
    """Return whether this is a folder; False where the name is too long or cannot be one."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def read_bytes(path: Path, *, inside: Path | None = None, limit: int = MAX_FILE) -> bytes:
    """Return the content of a regular file, in the tree `inside` if given, of at most `limit` bytes.

    `RefusedFile` names the file and says what is wrong with it.
    """
    content = read_start(path, limit + 1, inside=inside)
    if len(content) > limit:
        raise RefusedFile(f"{_short(path, inside)} is larger than {limit:,} bytes, the limit for such a file")
    return content


def read_start(path: Path, size: int, *, inside: Path | None = None) -> bytes:
    """Return the first `size` bytes of a regular file; otherwise as `read_bytes`."""
    try:
        status = os.stat(path)
        if inside and not is_inside(path, inside):
            raise RefusedFile(f"{_short(path, inside)} is a link that leads out of the tree")
        if not stat.S_ISREG(status.st_mode):
            raise RefusedFile(f"{_short(path, inside)} is not a regular file")
        with open(path, "rb", opener=_open) as stream:
            return stream.read(size)
    except (OSError, ValueError) as error:
        reason = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        if isinstance(error, FileNotFoundError) and os.path.islink(path):
            reason = "is a broken symbolic link"
        raise RefusedFile(f"{_short(path, inside)} {reason}") from None


def read_text(path: Path, *, inside: Path | None = None, limit: int = MAX_FILE, strict: bool = False) -> str:
    """Return the content as `read_bytes` does, decoded as `text_of` does."""
    return text_of(read_bytes(path, inside=inside, limit=limit), path, inside=inside, strict=strict)


def text_of(content: bytes, path: Path, *, inside: Path | None = None, strict: bool = False) -> str:
    """Return a file's text, which is UTF-8, with or without a byte order mark.

    `RefusedFile` if it is UTF-16, as some editors save it. Bytes that are not UTF-8 are replaced, or, if `strict`,
    refused.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise RefusedFile(f"{_short(path, inside)} is UTF-16; save it as UTF-8")
    try:
        return without_mark(content).decode(errors="strict" if strict else "replace")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RefusedFile(f"{_short(path, inside)} is not UTF-8 (line {line})") from None


def without_mark(content: bytes) -> bytes:
    """Return a file's content without the byte order mark that some editors write before UTF-8."""
    return content.removeprefix(codecs.BOM_UTF8)


def files_below(folder: Path, inside: Path) -> list[Path]:
    """Return the regular files below a folder, sorted; links to folders are not followed.

    `RefusedFile` if there are more than MAX_FILES, or folders more than MAX_DEPTH deep.
    """
    files: list[Path] = []
    waiting = [(folder, 0)]
    while waiting:
        current, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise RefusedFile(f"{_short(folder, inside)} has folders more than {MAX_DEPTH} deep")
        for entry in _entries(current):
            if entry.is_dir(follow_symlinks=False):
                waiting.append((current / entry.name, depth + 1))
            elif is_file(path := current / entry.name, inside):
                files.append(path)
        if len(files) > MAX_FILES:
            raise RefusedFile(f"{_short(folder, inside)} has more than {MAX_FILES:,} files")
    return sorted(files)


def require_no_special_file(folder: Path, levels: int) -> None:
    """Raise `RefusedFile` if a folder, or one some levels below it, has a pipe, device, socket, or a folder named X.h.

    A compiler that includes it would wait or read for ever. Hidden folders are left out, as sources are not there.
    """
    if not is_folder(folder):
        return
    waiting = [(folder, 0)]
    while waiting:
        current, depth = waiting.pop()
        for entry in _entries(current):
            kind = _special(entry)
            if kind:
                name = printable((current / entry.name).relative_to(folder))
                raise RefusedFile(f"{name} is {kind}, not a regular file; remove it")
            if depth < levels and entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                waiting.append((current / entry.name, depth + 1))


def _special(entry: os.DirEntry[str]) -> str:
    """Return what an entry is that a compiler must not open; '' if it is a file, a folder, or a broken link."""
    try:
        mode = os.stat(entry.path).st_mode if entry.is_symlink() else entry.stat(follow_symlinks=False).st_mode
    except OSError:
        return ""
    if stat.S_ISDIR(mode):
        return "a folder" if entry.name.endswith((".h", ".c", ".cc", ".cpp", ".S")) else ""
    return next((kind for is_kind, kind in _SPECIAL if is_kind(mode)), "")


_SPECIAL = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def walk(top: Path, depth: int, until: str = "") -> Iterator[tuple[Path, frozenset[str] | None]]:
    """Yield each folder at most `depth` levels below `top` with the names in it, or None if it cannot be read.

    Links are followed, except to a folder above; what lies below a folder with a file `until` is left out, and so are
    hidden folders. `RefusedFile` after MAX_ENTRIES.
    """
    met = 0
    waiting: list[tuple[Path, tuple[tuple[int, int], ...]]] = [(top, ())]
    while waiting:
        folder, above = waiting.pop()
        try:
            status = os.stat(folder)
            entries = [] if (status.st_dev, status.st_ino) in above else _entries(folder)
        except (OSError, RefusedFile):
            yield folder, None
            continue
        met += len(entries)
        if met > MAX_ENTRIES:
            raise RefusedFile(f"{printable(top)} has more than {MAX_ENTRIES:,} files and folders; name a part of it")
        names = frozenset(entry.name for entry in entries)
        yield folder, names
        if len(above) < depth and until not in names:
            here = (*above, (status.st_dev, status.st_ino))
            waiting += [(folder / e.name, here) for e in entries if e.name[0] != "." and _is_dir(e)]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return what is in a folder, up to one entry above the limit. `RefusedFile` if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return list(itertools.islice(entries, MAX_ENTRIES + 1))
    except OSError as error:
        raise RefusedFile(f"{printable(folder.name)} cannot be read: {error.strerror}") from None


def _is_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


def _short(path: Path, inside: Path | None) -> str:
    """Return the path as shown in a message: relative to the tree."""
    return printable(path.relative_to(inside) if inside and path.is_relative_to(inside) else path)
