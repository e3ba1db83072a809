# SPDX-License-Identifier: MIT OR Apache-2.0
"""Signed bundles of runs: made, handed on, examined and collected (docs/publish.md).

content = make_bundle(runs, tree, key)
bundle = read_bundle(content)             # RefusedBundle names what is wrong
Collection(folder, ...).take(content)
"""

from cyclometer.publish.bundle import Bundle, make_bundle, read_bundle
from cyclometer.publish.collection import Collection, Quota
from cyclometer.publish.hand_on import hand_in, hand_on

__all__ = ["Bundle", "Collection", "Quota", "hand_in", "hand_on", "make_bundle", "read_bundle"]
