# SPDX-License-Identifier: MIT OR Apache-2.0
"""A machine without some features of its CPU: what is switched off, and how each library is told."""

from __future__ import annotations

import subprocess

import pytest

from cyclometer.discover import hidden_features, without_features
from cyclometer.errors import CyclometerError, UnknownName
from support.our_catalogue import our_catalogue
from support.requirements import need
from support.small_tree import REPOSITORY

CATALOGUE = our_catalogue()
SSE = {"sse2", "ssse3", "sse4_1", "sse4_2"}
CPU = SSE | {"avx", "avx2", "aes", "pclmulqdq", "vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl", "sha_ni"}


def hidden(*names: str) -> list[str]:
    return hidden_features(CATALOGUE.features, names, CPU)


def variables(*names: str) -> dict[str, str]:
    masked, _ = without_features(CATALOGUE, REPOSITORY, hidden(*names), CPU)
    return dict(masked.compilers[0].environment)


def test_what_builds_on_a_feature_is_hidden_with_it() -> None:
    assert hidden("aes") == ["aes", "vaes"]
    assert hidden("avx2") == ["avx2", "avx512bw", "avx512f", "avx512vl"]
    assert hidden("aes", "pclmulqdq") == ["aes", "pclmulqdq", "vaes", "vpclmulqdq"]
    assert hidden() == []


def test_the_beginning_of_names_means_all_of_them() -> None:
    assert hidden("avx512") == ["avx512bw", "avx512f", "avx512vl"]  # the others this CPU has not


def test_bad_names_are_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean 'aes'"):
        hidden("ase")
    with pytest.raises(UnknownName):
        hidden("int128")  # a property of the target, not a feature of the CPU
    with pytest.raises(CyclometerError, match="--without gfni: this CPU has none"):
        hidden("gfni")


def test_compilers_get_the_opposite_flags() -> None:
    masked, _ = without_features(CATALOGUE, REPOSITORY, hidden("aes"), CPU)
    for compiler, before in zip(masked.compilers, CATALOGUE.compilers, strict=True):
        assert compiler.flags == (*before.flags, "-mno-aes", "-mno-vaes")


def test_openssl_is_told_as_its_manual_says() -> None:
    """OPENSSL_ia32cap(3) has these examples: AES-NI and PCLMULQDQ in the first number, AVX2 in the second."""
    without = hidden_features(CATALOGUE.features, ("aes", "pclmulqdq"), {"aes", "pclmulqdq"})
    masked, _ = without_features(CATALOGUE, REPOSITORY, without, CPU)
    assert dict(masked.compilers[0].environment)["OPENSSL_ia32cap"] == "~0x200000200000000:~0x0"
    without = hidden_features(CATALOGUE.features, ("avx2",), {"avx2"})
    masked, _ = without_features(CATALOGUE, REPOSITORY, without, CPU)
    assert dict(masked.compilers[0].environment)["OPENSSL_ia32cap"] == "~0x0:~0x20"


def test_openssl_obeys() -> None:
    need("openssl")
    value = variables("aes", "pclmulqdq")["OPENSSL_ia32cap"]
    shown = subprocess.run(
        ["openssl", "info", "-cpusettings"],
        env={"PATH": "/usr/bin:/bin", "OPENSSL_ia32cap": value},
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    if not shown.startswith("OPENSSL_ia32cap="):
        pytest.skip("this OpenSSL does not show its settings")
    first, second = (int(word, 16) for word in shown.split()[0].partition("=")[2].split(":"))
    assert first & (1 << 57 | 1 << 33) == 0
    assert second & (1 << 41 | 1 << 42) == 0


def test_each_library_has_its_own_spelling() -> None:
    told = variables("aes", "pclmulqdq")
    assert told["CYCLOMETER_GCRYPT_DENY"] == "intel-aesni:intel-pclmul:intel-vaes-vpclmul"
    assert told["NETTLE_FAT_OVERRIDE"] == "vendor:other,sha_ni"  # what is left
    assert variables("avx512")["GLIBC_TUNABLES"] == "glibc.cpu.hwcaps=-AVX512BW,-AVX512F,-AVX512VL"


def test_a_library_without_a_switch_is_left_out_with_the_reason() -> None:
    masked, failures = without_features(CATALOGUE, REPOSITORY, hidden("aes"), CPU)
    reasons = {failure.subject.implementation: failure.reason for failure in failures}
    assert reasons["libsodium"] == "left out: libsodium has no documented switch for aes, vaes"
    libraries = {i.name for i in masked.implementations if i.library}
    assert {"openssl", "nettle", "libgcrypt", "libtomcrypt"} <= libraries
    assert not libraries & reasons.keys()
