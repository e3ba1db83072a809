# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cost of a primitive by length: a constant and a slope in whole blocks, for lengths that were not measured."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cyclometer.errors import CyclometerError


@dataclass(frozen=True, kw_only=True)
class CostModel:
    """cost(n) = constant + slope * ceil((n + padding) / block), in the unit of what it was fitted to."""

    constant: float
    slope: float
    padding: int
    block: int
    worst: float  # the largest relative error at a fitted length

    def __call__(self, length: int) -> float:
        """Return the cost of `length` bytes."""
        return self.constant + self.slope * math.ceil((length + self.padding) / self.block)


def fit(costs: Mapping[int, float], *, padding: int, block: int) -> CostModel:
    """Fit by weighted least squares on the relative error; CyclometerError with fewer than two lengths."""
    if len(costs) < 2 or min(costs.values()) <= 0:
        raise CyclometerError("a model needs positive costs at two lengths at least; measure more lengths")
    values = np.array(list(costs.values()))
    blocks = np.array([math.ceil((length + padding) / block) for length in costs])
    design = np.column_stack([np.ones(len(values)), blocks]) / values[:, None]
    constant, slope = np.linalg.lstsq(design, np.ones(len(values)), rcond=None)[0]
    errors = np.abs(design @ np.array([constant, slope]) - 1)
    return CostModel(
        constant=float(constant), slope=float(slope), padding=padding, block=block, worst=float(errors.max())
    )
