# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cyclometer: builds, checks, tunes and measures cryptographic primitives, and tells how fast they are."""
