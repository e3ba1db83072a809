# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 1: read the tree. Folders are the registry; nothing else keeps a list."""

from cyclometer.discover.calibration import read_calibration
from cyclometer.discover.checkers import FOLLOWS_SECRETS, compilers_for_checker, followable
from cyclometer.discover.folders import join, name_folders, unusable
from cyclometer.discover.foreign import ForeignImplementation, ForeignTree, adapt, counted, listing, recognise, summary
from cyclometer.discover.masks import hidden_features, without_features
from cyclometer.discover.modes import published_per_byte, read_modes
from cyclometer.discover.native import discover, foreign_operations, read_operations
from cyclometer.discover.pairs import ALL_PAIRS, MARK, PART_MEASURES, pairs, same_as_declared, with_pairs
from cyclometer.discover.selection import default_operations, first_answer, first_table, matches, select

__all__ = [
    "ALL_PAIRS",
    "FOLLOWS_SECRETS",
    "MARK",
    "PART_MEASURES",
    "ForeignImplementation",
    "ForeignTree",
    "adapt",
    "compilers_for_checker",
    "counted",
    "default_operations",
    "discover",
    "first_answer",
    "first_table",
    "followable",
    "foreign_operations",
    "hidden_features",
    "join",
    "listing",
    "matches",
    "name_folders",
    "pairs",
    "published_per_byte",
    "read_calibration",
    "read_modes",
    "read_operations",
    "recognise",
    "same_as_declared",
    "select",
    "summary",
    "unusable",
    "with_pairs",
    "without_features",
]
