# SPDX-License-Identifier: MIT OR Apache-2.0
"""Roe's bulk speeds and block counts give his predictions; the expected values are those of his paper's analysis."""

from __future__ import annotations

import pytest

from cyclometer.protocols.published import Published, roe
from support.small_tree import REPOSITORY

# Microseconds beyond RC6: integer predicted, measured; string predicted, measured.
EXTRA = {
    "Rijndael": (25.7, 33.7, 42.8, 68.0),
    "CAST-256": (41.1, 51.2, 68.5, 86.9),
    "Serpent": (145.1, 390.3, 241.9, 506.0),
    "SAFER+": (590.5, 480.6, 984.2, 903.9),
}
BLOCK_US = {"RC6": 6.71, "Rijndael": 9.56, "CAST-256": 11.28, "Serpent": 22.83, "SAFER+": 72.32}


@pytest.fixture(scope="module")
def published() -> Published:
    return roe(REPOSITORY)


@pytest.mark.parametrize("cipher", BLOCK_US)
def test_a_block_takes_the_published_time(published: Published, cipher: str) -> None:
    assert published.block_us(cipher) == pytest.approx(BLOCK_US[cipher], abs=0.006)


@pytest.mark.parametrize("cipher", EXTRA)
def test_predicted_and_measured_extra_time_are_the_published_ones(published: Published, cipher: str) -> None:
    found = [
        extra(cipher, "RC6", kind)
        for kind in ("integer", "string")
        for extra in (published.predicted_extra_us, published.measured_extra_us)
    ]
    assert found == pytest.approx(EXTRA[cipher], abs=0.1)


def test_residuals_reach_from_minus_19_to_169_per_cent(published: Published) -> None:
    residuals = [published.residual(cipher, "RC6", kind) for cipher in EXTRA for kind in ("integer", "string")]
    assert min(residuals) == pytest.approx(-0.19, abs=0.005)
    assert max(residuals) == pytest.approx(1.69, abs=0.005)
