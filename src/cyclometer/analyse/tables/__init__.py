# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables: which cells a view needs, and the records that reporters print."""
