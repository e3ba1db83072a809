# SPDX-License-Identifier: MIT OR Apache-2.0
"""The verb `check` answers the requests of published vectors first; the property tests do not depend on them."""

from __future__ import annotations

import pytest

from cyclometer.check import all_requests, read_vectors
from cyclometer.check.vectors import LabelledRequest, lines_of
from cyclometer.execute import sandbox
from cyclometer.records.executable import Executable
from support.only_implementation import build_only
from support.small_tree import SmallTree

Built = tuple[Executable, list[LabelledRequest]]


@pytest.fixture(scope="module")
def poly1305(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return `ref`, whose answers share buffers with the property tests, and the requests of its vectors."""
    tree = SmallTree.grow(tmp_path_factory.mktemp("check") / "tree", "crypto_onetimeauth/poly1305/ref")
    built, environment = build_only(tree)
    operation = environment.catalogue.operations["crypto_onetimeauth"]
    vectors = environment.catalogue.primitives["crypto_onetimeauth/poly1305"].vectors
    return built, [each for path in vectors for each in all_requests(read_vectors(path), operation)]


def records_of(executable: Executable, stdin: bytes) -> list[list[str]]:
    words = [str(executable.path), "check", "1"]
    outcome = sandbox.run(words, visible=[executable.path.parent], stdin=stdin)
    assert outcome.problem == "", outcome.stdout
    return [line.split("\t") for line in outcome.stdout.decode().splitlines()]


def test_requests_are_answered_before_the_verdict(poly1305: Built) -> None:
    executable, requests = poly1305
    *answers, digests, verdict = records_of(executable, lines_of(requests))
    assert len(requests) > 1
    assert [record[0] for record in answers] == ["answer"] * len(requests)
    assert (digests[0], verdict[:2]) == ("digests", ["verdict", "ok"])


def test_the_property_tests_do_not_depend_on_the_requests(poly1305: Built) -> None:
    executable, requests = poly1305
    alone, after = (records_of(executable, stdin)[-2][2] for stdin in (b"", lines_of(requests)))
    common = min(len(alone), len(after))  # how many cases there are depends on CPU time
    assert common >= 8  # hexadecimal digits of the digest of sixteen outputs
    assert alone[:common] == after[:common]
