# SPDX-License-Identifier: MIT OR Apache-2.0
"""What SUPERCOP's data lines and Cyclometer call the same thing: shared by the export and the import.

A measure's kind of record is its name and `_cycles`; only what is called otherwise
is listed. `cycles` alone is what an operation is about.
"""

from __future__ import annotations

CONTRACT = "supercop-"
"""Before SUPERCOP's version: the contract of what was measured by it and not by us."""

AD_UNIT = 1_000_000
"""crypto_aead writes its two lengths as AD_UNIT x associated-data bytes + message bytes."""

_SUFFIX = "_cycles"
_PLAIN = {
    "crypto_auth": "authenticate",
    "crypto_onetimeauth": "authenticate",
    "crypto_stream": "keystream",
}
_RENAMED = {("crypto_aead", "reject"): "forgery_decrypt_cycles"}
_RENAMED_BACK = {(operation, kind): measure for (operation, measure), kind in _RENAMED.items()}

SIZES = {
    "key_bytes": "keybytes",
    "nonce_bytes": "npubbytes",
    "tag_bytes": "abytes",
    "output_bytes": "outputbytes",
    "public_key_bytes": "publickeybytes",
    "secret_key_bytes": "secretkeybytes",
    "signature_bytes": "bytes",
    "ciphertext_bytes": "ciphertextbytes",
    "shared_secret_bytes": "sharedsecretbytes",
}
"""Sizes of a primitive; others keep their name, without the underscores."""

_SIZES_BACK = {kind: size for size, kind in SIZES.items()} | {"noncebytes": "nonce_bytes"}


def kind_of(operation: str, measure: str) -> str:
    """The kind of record that holds a measure's cycles."""
    if measure == plain_measure(operation):
        return "cycles"
    return _RENAMED.get((operation, measure), measure + _SUFFIX)


def measure_of(operation: str, kind: str) -> str:
    """The measure whose cycles a kind of record holds; empty for a kind that holds none."""
    if kind == "cycles":
        return plain_measure(operation)
    known = _RENAMED_BACK.get((operation, kind))
    return known or (kind.removesuffix(_SUFFIX) if kind.endswith(_SUFFIX) else "")


def plain_measure(operation: str) -> str:
    """The measure that SUPERCOP calls `cycles`: by default named like the operation."""
    return _PLAIN.get(operation, operation.removeprefix("crypto_"))


def size_of(kind: str) -> str:
    """Our name of a size; a kind such as `keybytes` that we have no word for stays."""
    return _SIZES_BACK.get(kind, kind)


def word(text: str) -> str:
    """A field: blanks become `_`, nothing becomes `-`."""
    return "_".join(text.split()) or "-"
