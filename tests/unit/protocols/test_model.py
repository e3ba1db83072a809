# SPDX-License-Identifier: MIT OR Apache-2.0
"""The model of a primitive's cost, against the fit that is published for SHA-1 on a Pentium II."""

from __future__ import annotations

import pytest

from cyclometer.errors import CyclometerError
from cyclometer.protocols.model import fit

# Roe, "Performance of Protocols": bytes -> microseconds. Its fit: 5.0 + 10.6 * ceil((n + 9) / 64), within 5 %.
SHA_1 = {1: 15.3, 16: 15.6, 32: 15.8, 48: 16.0, 64: 25.3, 80: 26.3, 128: 36.0, 256: 57.3, 512: 100, 1024: 186} | {
    2048: 357,
    16384: 2760,
    65536: 11040,
}


def test_the_fit_is_the_published_constant_and_slope() -> None:
    model = fit(SHA_1, padding=9, block=64)
    assert model.constant == pytest.approx(5.0, abs=0.3)
    assert model.slope == pytest.approx(10.6, abs=0.15)
    assert model.worst < 0.05


def test_a_length_between_the_measured_ones_costs_its_blocks() -> None:
    model = fit({0: 3.0, 64: 5.0, 128: 7.0}, padding=9, block=64)
    assert model(100) == pytest.approx(5.0)  # two blocks: 109 bytes with the padding


def test_one_length_is_no_model() -> None:
    with pytest.raises(CyclometerError, match="two lengths"):
        fit({64: 1.0}, padding=9, block=64)
