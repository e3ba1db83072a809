# SPDX-License-Identifier: MIT OR Apache-2.0
"""The sandbox's view of the machine, made by bubblewrap: own namespaces, no capabilities, a read-only file system.

A program sees the programs and libraries of the system and the folders that it is given; not the rest of the file
system, no other process and no network. This is the same for root, who has no capability in there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

from cyclometer.execute.running import started

TEMPORARY_BYTES = 1 << 30  # the size of /tmp, which lies in memory

_NAMESPACES = "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try --cap-drop ALL"
_NOBODY = "--unshare-user --uid 65534 --gid 65534"
# Also where Nix and Guix keep programs.
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
_SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache", "/run/current-system")
# Of all devices. With bubblewrap's own /dev, which has terminals, a program starts in 4.6 ms instead of 4.3 (Zen 5).
_DEVICES = ("null", "zero", "full", "random", "urandom")
_DEVICE_LINKS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}  # into /proc/self/fd


@cache
def bubblewrap() -> str:
    """Return the path of bubblewrap, or '' if it is not installed or does not work here."""
    path = shutil.which("bwrap")
    return os.path.realpath(path) if path and _isolation(path) else ""


def why_none() -> str:
    """Return why there is no sandbox here, or ''."""
    if bubblewrap():
        return ""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed (Debian: apt install bubblewrap)"
    return "bubblewrap may make no namespaces here (as in most containers; allow user namespaces, or run as root)"


@cache
def has_user_namespace() -> bool:
    """Return whether programs in the sandbox have a user namespace of their own."""
    return bool(path := shutil.which("bwrap")) and "--unshare-user" in _isolation(path)


@cache
def _isolation(path: str) -> tuple[str, ...]:
    """Return the strictest options that work here, or none; root can do without a user namespace."""
    for options in (f"{_NOBODY} {_NAMESPACES}", _NAMESPACES):
        isolation = (*options.split(), "--die-with-parent", "--new-session")
        if _works([path, *isolation, *_system_view(), "true"]):
            return isolation
    return ()


def _works(command: Sequence[str]) -> bool:
    try:
        # Away from the terminal: a Ctrl-C that ends bubblewrap while it starts leaves its child waiting for ever.
        with started(command, environment=dict(os.environ), cwd=None, descriptor=None) as process:
            process.communicate(timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return process.returncode == 0


@cache
def _system_view() -> tuple[str, ...]:
    view = ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM:
        if os.path.islink(name):
            view += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            view += ["--ro-bind", name, name]
    for name in _SYSTEM_FILES:
        view += ["--ro-bind-try", name, name]
    for name in _DEVICES:
        view += ["--dev-bind-try", f"/dev/{name}", f"/dev/{name}"]
    for name, target in _DEVICE_LINKS.items():
        view += ["--symlink", f"/proc/self/fd{target}", f"/dev/{name}"]
    view += ["--proc", "/proc", "--size", str(TEMPORARY_BYTES), "--tmpfs", "/tmp"]
    return tuple(view)


def shows(path: Path) -> bool:
    """Return whether everything in the sandbox can read this path, because the system keeps its programs there."""
    real = os.path.realpath(path)
    return any(real == top or real.startswith(f"{top}/") for top in ("/usr", *map(os.path.realpath, _SYSTEM)))


def wrapped(
    command: Sequence[str],
    *,
    readable: Iterable[Path] = (),
    copies: Mapping[Path, Path] = MappingProxyType({}),
    writable: Path | None = None,
    seccomp: int | None = None,
) -> list[str]:
    """Return the command behind bubblewrap, or unchanged where it does not work.

    It sees the copy in place of each file of `copies`. `seccomp` is the descriptor of a filter; `writable` is the
    folder to start in.
    """
    path = bubblewrap()
    if not path:
        return list(command)
    line = [path, *_isolation(path), *_system_view()]
    for folder in dict.fromkeys(readable):
        line += ["--ro-bind", str(folder), str(folder)]
    for file, copy in copies.items():  # after the folders, in which the files are
        line += ["--ro-bind", str(copy), str(file)]
    if writable:
        line += ["--bind", str(writable), str(writable), "--chdir", str(writable)]
    line += ["--remount-ro", "/"]
    if seccomp is not None:
        line += ["--seccomp", str(seccomp)]
    return [*line, "--", *command]


def tool_folders(tools: Iterable[str]) -> list[Path]:
    """Return the folders to make readable for tools that are not where the system keeps its programs."""
    return [folder for tool in tools for folder in _own_folders(tool)]


@cache
def _own_folders(tool: str) -> tuple[Path, ...]:
    found = shutil.which(tool)
    return tuple(_installation(Path(found).absolute())) if found else ()


def _installation(program: Path) -> Iterator[Path]:
    """Yield the folder of a program, and of what a link leads to, each with its neighbours lib and libexec."""
    for path in dict.fromkeys((program, program.resolve())):
        if str(path).startswith(("/usr/", *(f"{folder}/" for folder in _SYSTEM))):
            continue
        yield path.parent
        if path.parent.name == "bin":
            yield from (
                p for name in ("include", "lib", "lib64", "libexec") if (p := path.parent.parent / name).is_dir()
            )
