# SPDX-License-Identifier: MIT OR Apache-2.0
"""Providers that are Rust packages; these need no crates, except one that is not fetched."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from cyclometer.compile import crates
from cyclometer.compile.cache import Cache
from cyclometer.compile.packages import MissingLibrary
from cyclometer.records.failure import FailureKind
from support.command_line import CommandLine
from support.small_tree import REPOSITORY, SmallTree

pytestmark = pytest.mark.skipif(not shutil.which("cargo") or not crates.rustc(), reason="cargo is not installed")

MANIFEST = """
    # SPDX-License-Identifier: MIT OR Apache-2.0
    [package]
    name = "mine"
    version = "0.0.0"
    edition = "2018"

    [lib]
    crate-type = ["staticlib"]

    [profile.release]
    panic = "abort"
"""
LIBRARY = """
    // SPDX-License-Identifier: MIT OR Apache-2.0
    #[no_mangle]
    pub unsafe extern "C" fn mine_differ(x: *const u8, y: *const u8, length: usize) -> i32 {
        let (x, y) = (std::slice::from_raw_parts(x, length), std::slice::from_raw_parts(y, length));
        let differences = x.iter().zip(y).fold(0, |all, (a, b)| all | (a ^ b));
        -((differences != 0) as i32)
    }
"""
GLUE = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    #include <stddef.h>
    #include "crypto_verify.h"

    int mine_differ(const unsigned char *x, const unsigned char *y, size_t length);

    int crypto_verify(const unsigned char *x, const unsigned char *y)
    {
        return mine_differ(x, y, crypto_verify_BYTES);
    }
"""
PROVIDER = """
    # SPDX-License-Identifier: MIT OR Apache-2.0
    name = "mine"
    debian = "cargo"

    [operations.crypto_verify]
    16 = {}
"""


@pytest.fixture
def tree(tree: SmallTree) -> SmallTree:
    """Grow a tree with 16-byte verification and a Rust package that provides it."""
    tree.plant("crypto_verify/16/ref")
    tree.write("providers/mine/provider.toml", PROVIDER)
    tree.write("providers/mine/Cargo.toml", MANIFEST)
    tree.write("providers/mine/src/lib.rs", LIBRARY)
    tree.write("providers/mine/crypto_verify/crypto_verify.c", GLUE)
    return tree


def test_a_rust_package_is_a_provider(tree: SmallTree, cyclometer: CommandLine) -> None:
    result = cyclometer("check", "crypto_verify/16")
    assert result.line("ok", "crypto_verify 16 mine"), result.stderr
    assert not (tree / "providers/mine/target").exists()
    assert not (tree / "providers/mine/Cargo.lock").exists()


def test_a_wrong_rust_package_is_found_out(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.change("providers/mine/src/lib.rs", "all | (a ^ b)", "all | ((a ^ b) & 0x7f)")
    assert cyclometer("check", "crypto_verify/16").line("WRONG", "crypto_verify 16 mine")


def test_a_rust_package_that_does_not_compile_is_reported_with_the_reason(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.change("providers/mine/src/lib.rs", "differences != 0", "difference != 0")
    result = cyclometer("check", "crypto_verify/16")
    assert "does not compile" in result.stdout
    assert result.line("ok", "crypto_verify 16 ref")


def test_missing_crates_are_not_fetched(tree: SmallTree, cyclometer: CommandLine, tmp_path: Path) -> None:
    needed = '[dependencies]\nml-kem = "=0.3.4"\n\n[profile.release]'
    tree.change("providers/mine/Cargo.toml", "[profile.release]", needed)
    result = cyclometer("check", "crypto_verify/16", CARGO_HOME=str(tmp_path / "cargo"))
    assert "needs crates that are not on this machine: cargo fetch --manifest-path" in result.stdout + result.stderr
    assert result.line("ok", "crypto_verify 16 ref")


def test_a_rust_that_is_too_old_is_named(tree: SmallTree, tmp_path: Path) -> None:
    tree.change("providers/mine/Cargo.toml", 'edition = "2018"', 'edition = "2018"\nrust-version = "999.0"')
    result = crates.crate_archive(tree / "providers/mine", Cache(tmp_path / "cache"), (), "")
    assert isinstance(result, MissingLibrary)
    assert result.kind is FailureKind.NEEDS_TOOL
    assert result.name.startswith("Rust 999.0 or newer")


def test_cargo_that_is_missing_is_named(tree: SmallTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crates, "rustc", lambda: None)
    result = crates.crate_archive(tree / "providers/mine", Cache(tmp_path / "cache"), (), "")
    assert result == MissingLibrary(FailureKind.NEEDS_TOOL, "cargo (Debian: apt install cargo)")


@pytest.mark.parametrize("manifest", sorted(REPOSITORY.glob("providers/*/Cargo.toml")), ids=lambda m: m.parent.name)
def test_every_crate_has_one_exact_version(manifest: Path) -> None:
    """The packages have no Cargo.lock."""
    read = tomllib.loads(manifest.read_text(encoding="utf-8"))
    versions = [d["version"] for kind in ("dependencies", "build-dependencies") for d in read.get(kind, {}).values()]
    assert versions
    assert all(version.startswith("=") for version in versions)
