# SPDX-License-Identifier: MIT OR Apache-2.0
"""Facts about the machine, one small function per fact.

A fact is a function named fact_<name> in this module. If it cannot be determined
(a guest has no cpufreq, for example), its value is the reason in parentheses.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import secrets
from dataclasses import dataclass
from pathlib import Path

import archspec.cpu
import psutil

_CPUS = Path("/sys/devices/system/cpu")
_CPU0 = _CPUS / "cpu0"
_CPU_NUMBERS = ("cpu family", "model", "stepping", "CPU implementer", "CPU variant", "CPU part", "CPU revision")
_ID_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class Fact:
    """The name and the value of a fact."""

    name: str
    value: str


def facts() -> list[Fact]:
    """Return all facts in the order of their functions below."""
    functions = [(name, function) for name, function in globals().items() if name.startswith("fact_")]
    return [Fact(name=name.removeprefix("fact_").replace("_", " "), value=function()) for name, function in functions]


def cpu_flags() -> frozenset[str]:
    """Return the CPU's features, spelled as in /proc/cpuinfo."""
    for line in _cpuinfo():
        if line.startswith(("flags", "Features")):
            return frozenset(line.partition(":")[2].split())
    return frozenset(archspec.cpu.host().features)


def cpu_name() -> str:
    """Return the CPU's name, family, model and stepping, on which code compiled with -march=native depends."""
    fields = dict(line.partition(":")[::2] for line in _cpuinfo() if ":" in line)
    values = {key.strip(): value.strip() for key, value in fields.items()}
    model = values.get("model name") or values.get("Model") or platform.processor() or platform.machine()
    numbers = [values[key] for key in _CPU_NUMBERS if key in values]
    return f"{model} ({'-'.join(numbers)})" if numbers else model


def measuring_core() -> int | None:
    """Return the core to pin processes to: the last one allowed, as interrupts and other programs tend to avoid it."""
    try:
        return max(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return None


def cores_beside(core: int | None) -> set[int]:
    """Return the cores that may be used while this one measures: those that are not another thread of it.

    None: nothing can be pinned here, so none is certain to be another one.
    """
    if core is None:
        return set()
    siblings = _read(_CPUS / f"cpu{core}/topology/thread_siblings_list")
    return os.sched_getaffinity(0) - {core} - cores_of(siblings)


def boot_id() -> str:
    """Return what names the time since the machine was started; '' where the kernel does not tell."""
    return _read(Path("/proc/sys/kernel/random/boot_id"))


def cores_of(text: str) -> set[int]:
    """Read a list of cores as the kernel writes it: "0-2,8"."""
    ends = [part.partition("-")[::2] for part in text.split(",") if part]
    return {core for first, last in ends for core in range(int(first), int(last or first) + 1)}


def _cpuinfo() -> list[str]:
    return _read(Path("/proc/cpuinfo")).split("\n\n")[0].splitlines()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def fact_cpu() -> str:
    return cpu_name()


def fact_microarchitecture() -> str:
    return str(archspec.cpu.host().name)


def fact_cores() -> str:
    return f"{psutil.cpu_count(logical=True)} logical, {psutil.cpu_count(logical=False) or 'unknown'} physical"


def fact_smt() -> str:
    siblings = _read(_CPU0 / "topology/thread_siblings_list")
    if not siblings:
        return "(unknown: not reported by the kernel)"
    return (
        f"on: core 0 is shared by {siblings}"
        if "," in siblings or "-" in siblings
        else "off, or hidden by a hypervisor"
    )


def fact_hypervisor() -> str:
    return "yes: other guests can disturb measurements" if "hypervisor" in cpu_flags() else "none detected"


def fact_governor() -> str:
    return _read(_CPU0 / "cpufreq/scaling_governor") or "(none: the kernel does not control the clock rate)"


def fact_turbo() -> str:
    intel = _read(Path("/sys/devices/system/cpu/intel_pstate/no_turbo"))
    boost = _read(Path("/sys/devices/system/cpu/cpufreq/boost"))
    if intel or boost:
        return "on" if intel == "0" or boost == "1" else "off"
    return "(unknown: not controlled by the kernel)"


def fact_microcode() -> str:
    return next((line.partition(":")[2].strip() for line in _cpuinfo() if line.startswith("microcode")), "(unknown)")


def fact_machine_id() -> str:
    """Return a digest of the system's machine id; without one, of a random id that is kept in the user's state folder.

    The machine id itself is confidential (machine-id(5)), and is never shown or stored.
    """
    own = _read(Path("/etc/machine-id"))
    machine = own if len(own) > _ID_DIGITS else _random_id()
    return hashlib.sha256(f"cyclometer {machine}".encode()).hexdigest()[:_ID_DIGITS] if machine else "(unknown)"


def _random_id() -> str:
    """Return the id of the state folder, made on first use; '' if it can be neither read nor written."""
    base = os.environ.get("XDG_STATE_HOME")
    try:
        path = (Path(base) if base else Path.home() / ".local/state") / "cyclometer" / "machine-id"
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError), path.open("x", encoding="ascii") as file:
            file.write(secrets.token_hex())
    except (OSError, RuntimeError):  # RuntimeError: no home folder
        return ""
    return _read(path)


def fact_memory() -> str:
    return f"{psutil.virtual_memory().total / 2**30:.1f} GiB"


def fact_load() -> str:
    return ", ".join(f"{load:.2f}" for load in psutil.getloadavg()) + " (1, 5, 15 minutes)"


def fact_kernel() -> str:
    return f"{platform.system()} {platform.release()}"


def fact_c_library() -> str:
    return " ".join(platform.libc_ver()).strip() or "(unknown)"
