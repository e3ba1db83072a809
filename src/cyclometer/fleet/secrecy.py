# SPDX-License-Identifier: MIT OR Apache-2.0
"""Everything between client, scheduler and workers is under TLS, with a key made for this one campaign.

Who reaches a Dask scheduler can run code on its workers, and loopback is open to every user of a machine. The key
exists in memory only and travels to the workers through their standard input.
"""

from __future__ import annotations

from typing import TypedDict

from distributed.security import Security


class Secret(TypedDict):
    """A certificate and its key, both as PEM."""

    certificate: str
    key: str


def new_secret() -> Secret:
    """Return a self-signed certificate that only this fleet has."""
    security = Security.temporary()
    return Secret(certificate=str(security.tls_ca_file), key=str(security.tls_client_key))


def security_of(secret: Secret) -> Security:
    """Return Dask's settings: the one certificate for every role, and nothing without it."""
    roles = ("client", "scheduler", "worker")
    names = {f"tls_{role}_cert": secret["certificate"] for role in roles}
    names |= {f"tls_{role}_key": secret["key"] for role in roles}
    return Security(require_encryption=True, tls_ca_file=secret["certificate"], **names)
