# SPDX-License-Identifier: MIT OR Apache-2.0
"""Our own implementations against the libraries', interleaved in one run each: `make bench`.

Prints the ratio library / ours with its interval; above 1 ours is faster.
"""

from __future__ import annotations

import subprocess
import sys

LENGTHS = "576,1500,8192"
PAIRS = [
    ("crypto_stream/salsa20", "libsodium"),
    ("crypto_stream/salsa20-12", "libsodium"),
    ("crypto_stream/salsa20-8", "libsodium"),
    ("crypto_stream/chacha20", "libsodium"),
    ("crypto_stream/chacha20", "openssl"),
    ("crypto_stream/aes-128-ctr", "openssl"),
    ("crypto_stream/aes-256-ctr", "openssl"),
    ("crypto_onetimeauth/poly1305", "libsodium"),
    ("crypto_onetimeauth/poly1305", "openssl"),
    ("crypto_aead/chacha20-poly1305", "libsodium"),
    ("crypto_aead/chacha20-poly1305", "openssl"),
    ("crypto_aead/aes-128-gcm", "openssl"),
    ("crypto_aead/aes-256-gcm", "openssl"),
    ("crypto_aead/aes-256-gcm", "libsodium"),
]


def main() -> int:
    """Run every comparison; return 1 if any fails, else 0."""
    failed = 0
    for system, library in PAIRS:
        command = ["cyclometer", "compare", "--now", "--length", LENGTHS, system, f"{system}:{library}"]
        print("$", *command, flush=True)
        failed += subprocess.run([sys.executable, "-m", *command], check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
