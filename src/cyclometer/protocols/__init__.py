# SPDX-License-Identifier: MIT OR Apache-2.0
"""What cryptography costs inside an application: remote procedure calls, rung by rung (docs/protocols.md).

A user of the campaign and of the analysis, which do not know it. The C side is in protocols/ of the tree.
"""
