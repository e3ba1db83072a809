# SPDX-License-Identifier: MIT OR Apache-2.0
"""The frozen records that pass from stage to stage."""
