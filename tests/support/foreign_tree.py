# SPDX-License-Identifier: MIT OR Apache-2.0
"""A synthetic tree in SUPERCOP's layout, written by the test that needs it.

tree = ForeignTree(tmp_path / "tree")
tree.write("crypto_verify/16/mine/verify.c", GOOD_VERIFY)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

GOOD_VERIFY = """
#include "crypto_verify.h"
int crypto_verify(const unsigned char *x, const unsigned char *y)
{
    unsigned difference = 0;
    for (int i = 0; i < crypto_verify_BYTES; i++) difference |= x[i] ^ y[i];
    return (int)(1 & ((difference - 1) >> 8)) - 1;
}
"""

WHETHER_TIMED = """
#include <string.h>
static int timed; /* the command line of the process tells */
__attribute__((constructor)) static void look(int count, char **arguments)
{
    for (int i = 1; i < count; i++) timed |= !strcmp(arguments[i], "measure");
}
"""


@dataclass(frozen=True)
class ForeignTree:
    """A folder for --tree."""

    root: Path

    def write(self, path: str, text: str) -> Path:
        """Write a file, and the api.h of a crypto_verify if there is none."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        api = target.parent / "api.h"
        if path.startswith("crypto_verify/") and not api.exists():
            api.write_text("#define CRYPTO_BYTES 16\n", encoding="utf-8")
        return target
