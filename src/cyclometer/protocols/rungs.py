# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rungs of the ladder: a layer, and the primitives that are its parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cyclometer.errors import CyclometerError, UnknownName, some_of
from cyclometer.records.catalogue import Catalogue

MACS = ("crypto_auth", "crypto_nonceauth")
CIPHER, AEAD, BLOCK = "crypto_cipher", "crypto_aead", "crypto_blockcipher"
MODES = ("cbc", "ctr", "ofb")
DEFAULT_MAC = "hmac-sha-1"  # the one of Roe's experiment
DEFAULT_SYSTEMS = (
    *("rc6", "aes", "cast256", "serpent", "saferplus"),
    *("aes-128-gcm", "aes-128-ocb3", "aegis-128l", "chacha20-poly1305", "ascon-aead128"),
)

FORMATS = ("wireguard", "quic", "esp")
"""Layers that give packets the form of a real protocol's; each takes an AEAD."""

GLUE = {
    "crypto_auth": ("auth.c", "part_mac"),
    "crypto_nonceauth": ("nonceauth.c", "part_mac"),
    CIPHER: ("cipher.c", "part_cipher"),
    AEAD: ("aead.c", "part_aead"),
    BLOCK: ("blockcipher.c", "part_block"),
}
"""Operation -> its file in protocols/parts, and the symbol that it defines."""


@dataclass(frozen=True, kw_only=True)
class Library:
    """What layers by a library are built from: folders of protocols/, pkg-config names, the Debian package."""

    folders: tuple[str, ...]
    packages: tuple[str, ...]
    debian: str


_OPENSSL = Library(folders=("openssl",), packages=("libssl", "libcrypto"), debian="libssl-dev")
_NGHTTP2 = Library(
    folders=("openssl", "http2"), packages=("libssl", "libcrypto", "libnghttp2"), debian="libssl-dev libnghttp2-dev"
)
LIBRARIES = {"tls": _OPENSSL, "http2": _NGHTTP2, "grpc": _NGHTTP2}
"""Layer -> the library that it is by."""

IN_THE_CLEAR = "plain"  # TLS_KIND of a layer without TLS


@dataclass(frozen=True, kw_only=True)
class Rung:
    """A layer and the keys (`operation/primitive`) of its parts."""

    layer: str
    parts: tuple[str, ...] = ()
    macros: tuple[tuple[str, str], ...] = ()  # of a library's layer: TLS_KIND, TLS_SUITE ...

    @property
    def name(self) -> str:
        """The name in tables and in stored runs: `etm+hmac-sha-1+aes-cbc`."""
        words = [value.replace(":", "-") for _, value in self.macros if value]
        if self.layer != "tls":  # TLS is named by its version and suite
            words.insert(0, self.layer)
        return "+".join((*words, *(part.partition("/")[2] for part in self.parts)))


PLAIN, NULL = Rung(layer="plain"), Rung(layer="null")


def ladder(
    catalogue: Catalogue, systems: Sequence[str], mac: str = DEFAULT_MAC, *, roe: bool = False, formats: bool = False
) -> list[Rung]:
    """Return the rungs for block ciphers, ciphers in a mode, MACs and AEADs, from the plain RPC upwards.

    A block cipher stands for its three modes; `roe` adds the order of Roe's experiment, MAC first, then CBC, and
    `formats` the packet formats around each AEAD. UnknownName for what is not in the tree.
    """
    key = _mac_key(catalogue, mac)
    rungs = [PLAIN, NULL]
    for system in systems:
        rungs += _rungs_of(catalogue, system, key, roe=roe, formats=formats)
    authenticated = Rung(layer="mac", parts=(key,))
    if any(rung.layer in ("etm", "mte") and rung.parts[0] == key for rung in rungs):
        rungs.insert(2, authenticated)
    return list(dict.fromkeys(rungs))


def part_keys(rungs: Iterable[Rung]) -> list[str]:
    """Return the keys of all parts, each once."""
    return list(dict.fromkeys(part for rung in rungs for part in rung.parts))


def _rungs_of(catalogue: Catalogue, system: str, mac: str, *, roe: bool, formats: bool) -> list[Rung]:
    known = catalogue.primitives
    if f"{AEAD}/{system}" in known:
        rungs = [Rung(layer="aead", parts=(f"{AEAD}/{system}",))]
        return rungs + (_formats(catalogue, f"{AEAD}/{system}") if formats else [])
    if f"{BLOCK}/{system}" in known:
        modes = [f"{CIPHER}/{system}-{mode}" for mode in MODES if f"{CIPHER}/{system}-{mode}" in known]
        extra = [Rung(layer="mte", parts=(mac, modes[0]))] if roe and modes else []
        return [*(Rung(layer="etm", parts=(mac, mode)) for mode in modes), *extra]
    if f"{CIPHER}/{system}" in known:
        return [Rung(layer="etm", parts=(mac, f"{CIPHER}/{system}"))]
    for operation in MACS:
        if f"{operation}/{system}" in known:
            return [Rung(layer="mac", parts=(f"{operation}/{system}",))]
    names = _names(catalogue)
    raise UnknownName("cipher, MAC or AEAD", system, names, some_of(names, "`cyclometer run --list`"))


def _formats(catalogue: Catalogue, aead: str) -> list[Rung]:
    block = f"{BLOCK}/aes"
    return [
        Rung(layer=layer, parts=(aead, block) if layer == "quic" else (aead,))
        for layer in FORMATS
        if layer != "quic" or block in catalogue.primitives
    ]


def _mac_key(catalogue: Catalogue, mac: str) -> str:
    for operation in MACS:
        if f"{operation}/{mac}" in catalogue.primitives:
            return f"{operation}/{mac}"
    if f"crypto_onetimeauth/{mac}" in catalogue.primitives:
        raise CyclometerError(f"{mac} authenticates one message under a key; take an AEAD that has it as its MAC")
    valid = [p.name for p in catalogue.primitives.values() if p.operation in MACS]
    raise UnknownName("MAC", mac, valid, some_of(valid, "`cyclometer run --list`"))


def _names(catalogue: Catalogue) -> list[str]:
    return [p.name for p in catalogue.primitives.values() if p.operation in (AEAD, BLOCK, CIPHER, *MACS)]
