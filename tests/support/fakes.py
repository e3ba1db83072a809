# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fakes: executables without a program, for tests that never run one."""

from __future__ import annotations

from pathlib import Path

from cyclometer.records.catalogue import Compiler, Implementation
from cyclometer.records.executable import Executable
from cyclometer.records.tuning import Tuning

COMPILER = Compiler(name="cc", toolchain="cc", command="cc", cxx="c++", flags=(), reason="a test")


def executable(implementation: str, primitive: str = "salsa20", compiler: str = "cc") -> Executable:
    """Make a fake executable of crypto_stream."""
    subject = Tuning(operation="crypto_stream", primitive=primitive, implementation=implementation, compiler=compiler)
    code = Implementation(operation="crypto_stream", primitive=primitive, name=implementation, folders=(), sources=())
    return Executable(
        subject=subject, path=Path(implementation), compiler=COMPILER, code_bytes=1, objects=(), implementation=code
    )
