# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds in the background: one after the other, on other cores, and only until nobody measures any more."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path

from cyclometer.campaign.background_builds import background_builds
from cyclometer.records.catalogue import Compiler, Implementation, Primitive
from cyclometer.records.executable import BuildRequest

CORES = os.sched_getaffinity(0)


def request(implementation: str) -> BuildRequest:
    return BuildRequest(
        primitive=Primitive(
            operation="crypto_hash",
            name="sha",
            folder=Path(),
            associated_data=False,
            sizes={},
            vectors=(),
            facts={},
        ),
        implementation=Implementation(
            operation="crypto_hash", primitive="sha", name=implementation, folders=(), sources=()
        ),
        compiler=Compiler(name="gcc-O3", toolchain="gcc", command="gcc", cxx="g++", flags=(), reason="a test's"),
    )


class Builder:
    """Notes what it is asked to build, and takes until it may go on."""

    def __init__(self) -> None:
        self.built: list[str] = []
        self.is_building, self.may_go_on, self.has_built_two = (threading.Event() for _ in range(3))

    def build(self, requests: Sequence[BuildRequest]) -> None:
        self.is_building.set()
        assert self.may_go_on.wait(60)
        self.built += [request.implementation.name for request in requests]
        if len(self.built) == 2:
            self.has_built_two.set()


def test_requests_are_built_while_the_caller_goes_on() -> None:
    builder = Builder()
    with background_builds(builder.build, CORES) as begin:
        begin([request("avx2"), request("ref")])  # returns at once, or nobody would let the builder go on
        builder.may_go_on.set()
        assert builder.has_built_two.wait(60)
    assert builder.built == ["avx2", "ref"]


def test_what_has_not_begun_at_the_end_is_dropped() -> None:
    builder = Builder()
    with background_builds(builder.build, CORES) as begin:
        begin([request("avx2"), request("ref")])
        assert builder.is_building.wait(60)
        threading.Timer(0.5, builder.may_go_on.set).start()  # after the block is left
    assert builder.built == ["avx2"]


def test_where_no_core_is_apart_nothing_is_built() -> None:
    builder = Builder()
    builder.may_go_on.set()
    with background_builds(builder.build, []) as begin:
        begin([request("avx2")])
    assert not builder.built
