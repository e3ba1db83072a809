# SPDX-License-Identifier: MIT OR Apache-2.0
"""Vendored libraries of foreign trees."""

from __future__ import annotations

from pathlib import Path

from cyclometer.compile.vendored import may_define
from cyclometer.records.catalogue import VendoredLibrary


def test_a_vendored_library_is_built_only_for_functions_that_it_may_have(tmp_path: Path) -> None:
    (tmp_path / "sponge.c").write_text("#define JOIN(a, b) a##b\nint JOIN(Keccak, _Absorb)(void) { return 0; }\n")
    library = VendoredLibrary(name="xkcp", folder=tmp_path, recipe=tmp_path / "xkcp.sh", asked=False)
    assert may_define(library, ["Keccak_Absorb"])
    assert may_define(library, ["sha512_rorx", "Keccak_Absorb"])
    assert not may_define(library, ["sha512_rorx"])
    assert not may_define(library, [])
