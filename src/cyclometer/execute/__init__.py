# SPDX-License-Identifier: MIT OR Apache-2.0
"""The only code that starts programs."""
