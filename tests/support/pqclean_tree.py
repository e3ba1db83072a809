# SPDX-License-Identifier: MIT OR Apache-2.0
"""A synthetic tree in PQClean's layout."""

from __future__ import annotations

import hashlib
from pathlib import Path

from support.foreign_tree import ForeignTree
from support.known_answers import MASK, MASK_HEADER, TOY_KEM, toy_records

RIGHT = hashlib.sha256(toy_records(1).removesuffix("\n").encode()).hexdigest()
META = """
name: Toy
type: kem
nistkat-sha256: {digest}
implementations:
  - name: clean
    version: of this test
  - name: elsewhere
    version: of this test
    supported_platforms:
      - architecture: vax
        required_flags: [polynomials]
"""


def grow(root: Path, digest: str = RIGHT, source: str = TOY_KEM) -> Path:
    """Write one scheme with a portable implementation and one that runs nowhere."""
    tree = ForeignTree(root)
    tree.write("crypto_kem/toy-1/META.yml", META.format(digest=digest))
    for name in ("clean", "elsewhere"):
        space = f"PQCLEAN_TOY1_{name.upper()}_"
        sizes = ("SECRETKEYBYTES", "PUBLICKEYBYTES", "CIPHERTEXTBYTES", "BYTES")
        tree.write(f"crypto_kem/toy-1/{name}/api.h", "".join(f"#define {space}CRYPTO_{size} 32\n" for size in sizes))
        tree.write(f"crypto_kem/toy-1/{name}/kem.c", source.replace("@", f"{space}crypto_kem_"))
    tree.write("common/mask.h", MASK_HEADER)
    tree.write("common/mask.c", MASK)
    tree.write("common/unused.c", "#error nobody includes its header\n")
    return root
