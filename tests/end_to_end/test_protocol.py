# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer protocol` as a user types it: the ladder, its predictions, and peers that misbehave."""

from __future__ import annotations

import html
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.browser import DESKTOP, PHONE, chromium, tab
from support.command_line import CommandLine, Result
from support.small_tree import SmallTree

AES_128_GCM = "crypto_aead/aes-128-gcm"
KILLED = """#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
"""
RUNGS = ["plain", "null", "mac+hmac-sha-1", "etm+hmac-sha-1+aes-cbc", "aead+aes-128-gcm"]


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> CommandLine:
    base = tmp_path_factory.mktemp("protocol")
    tree = SmallTree.grow(
        base / "tree",
        *(f"{AES_128_GCM}/ref", "crypto_hash/sha-1/ref", "crypto_auth/hmac-sha-1"),
        *("crypto_blockcipher/aes/ref", "crypto_cipher/aes-cbc"),
        *("crypto_aead/salsa20-poly1305", "crypto_stream/salsa20/ref", "crypto_onetimeauth/poly1305/ref"),
    )
    tree.copy("protocols")
    return CommandLine(tree=tree.root, cache=build_cache, results=base / "results")


@pytest.fixture(scope="module")
def measured(command: CommandLine) -> Result:
    result = command(
        "protocol", "ladder", "aes-cbc", "aes-128-gcm", "--transport", "queue", "--transport", "tcp", "--payload", "45",
        "--rounds", "2", "--format", "json",
    )  # fmt: skip
    assert result.status == 0, result.stderr
    return result


def tables(result: Result, view: str) -> list[dict[str, Any]]:
    return [table for table in json.loads(result.stdout)["tables"] if table["view"] == view]


def column(table: dict[str, Any], label: str) -> dict[str, float]:
    index = [each["label"] for each in table["columns"]].index(label)
    return {row["label"]: row["figures"][index]["value"] for row in table["rows"]}


def test_every_rung_is_measured_over_every_transport(measured: Result) -> None:
    calls = tables(measured, "protocol-calls")
    assert [table["measure"] for table in calls] == ["call-queue", "call-tcp"]
    for table in calls:
        assert list(column(table, "45")) == RUNGS
        assert all(cycles > 0 for cycles in column(table, "45").values())


def test_what_is_predicted_and_what_is_unexplained_add_up(measured: Result) -> None:
    for table in tables(measured, "protocol-prediction"):
        causes = ("cold", "overlap", "indirect", "allocation", "copies", "system", "unexplained")
        for rung in RUNGS[2:]:
            parts = sum(column(table, name)[rung] for name in ("null", "hot", *causes))
            assert parts == pytest.approx(column(table, "measured")[rung])


def test_a_call_has_the_bytes_and_system_calls_of_its_format(measured: Result) -> None:
    queue, tcp = tables(measured, "protocol-counts")
    message = 14 + 45
    assert column(queue, "bytes sent") == {
        "plain": 2 * message,
        "null": 2 * (12 + message + 16),
        "mac+hmac-sha-1": 2 * (12 + message + 16),
        "etm+hmac-sha-1+aes-cbc": 2 * (12 + 64 + 16),  # padded to whole blocks
        "aead+aes-128-gcm": 2 * (12 + 16 + message),
    }
    assert set(column(queue, "system calls").values()) == {0}
    assert all(calls == pytest.approx(4, abs=0.1) for calls in column(tcp, "system calls").values())


def test_the_verdict_is_in_words(measured: Result) -> None:
    notes = json.loads(measured.stdout)["notes"]
    assert any("cryptography is" in note and "the transport" in note for note in notes)
    assert any("a cipher that costs nothing" in note for note in notes)
    assert any("Kendall" in note or "rungs tie" in note for note in notes)
    assert any("unexplained" in note for note in notes)


DIES = """
static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    static unsigned calls;
    char words[4096] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t read = fread(words, 1, sizeof words, file);
    (void)fclose(file);
    if (memmem(words, read, "measure", 7) && ++calls == 100) (void)raise(SIGKILL);
"""


def test_a_client_that_is_killed_in_a_call_costs_its_rung_alone(
    command: CommandLine, measured: Result, tmp_path: Path
) -> None:
    tree = SmallTree(tmp_path / "tree")
    shutil.copytree(command.tree, tree.root)
    tree.change(
        "protocols/layers/mac.c",
        "static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)\n{\n",
        DIES.lstrip(),
    )
    tree.change("protocols/layers/mac.c", '#include "tag.h"', KILLED + '#include "tag.h"')
    own = CommandLine(tree=tree.root, cache=command.cache, results=tmp_path / "results")
    words = ("aes-cbc", "--transport", "tcp", "--payload", "45", "--rounds", "1", "--format", "json")
    result = own("protocol", "ladder", *words)
    assert result.status == 0, result.stderr
    [calls] = tables(result, "protocol-calls")
    assert list(column(calls, "45")) == [rung for rung in RUNGS[:4] if rung != "mac+hmac-sha-1"]
    [failure] = json.loads(result.stdout)["failures"]
    assert failure["failure"]["subject"]["primitive"] == "mac+hmac-sha-1"
    assert "SIGKILL" in failure["failure"]["reason"]


def test_the_last_ladder_is_shown_again_without_measuring(command: CommandLine, measured: Result) -> None:
    again = command("protocol", "ladder", "--stored", "--format", "json")
    first, second = (  # the database adds the same numbers in another order
        json.loads(result.stdout, parse_float=lambda text: f"{float(text):.9g}") for result in (measured, again)
    )
    assert second["tables"] == first["tables"]


def test_the_predictions_are_drawn(command: CommandLine, measured: Result, tmp_path: Path) -> None:
    picture = tmp_path / "ladder.svg"
    result = command("protocol", "ladder", "--stored", "--picture", picture)
    assert result.status == 0, result.stderr
    assert picture.read_text(encoding="utf-8").count("<svg") == 1
    wrong = command("protocol", "ladder", "--stored", "--picture", tmp_path / "ladder.doc")
    assert wrong.status == 2
    assert ".png, .svg or .pdf" in wrong.stderr


def test_a_picture_of_a_study_that_predicts_nothing_is_refused_before_anything_is_measured(
    command: CommandLine, tmp_path: Path
) -> None:
    result = command("protocol", "tls", "--picture", tmp_path / "tls.svg")
    assert result.status == 2
    assert "tls predicts nothing that could be drawn; ladder does" in result.stderr
    assert "measuring" not in result.stderr


def test_the_studies_are_listed_in_words_and_as_json(command: CommandLine) -> None:
    listed = json.loads(command("protocol", "--list", "--format", "json").stdout)["studies"]
    names = [study["name"] for study in listed]
    assert {"api", "http2", "ladder", "ssh", "tls"} <= set(names)
    lines = command("protocol", "--list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == names


@pytest.fixture(scope="module")
def site(command: CommandLine, measured: Result) -> Path:
    folder = command.results.parent / "site"
    result = command("report", "-o", folder)
    assert result.status == 0, result.stderr
    return folder


def test_the_start_page_ranks_no_rungs_and_leads_to_the_page_on_protocols(site: Path) -> None:
    start = (site / "index.html").read_text(encoding="utf-8")
    assert "aead+" not in start
    assert 'href="protocols.html"' in start


def test_the_page_on_protocols_has_verdict_bars_and_tables(site: Path, measured: Result) -> None:
    page = (site / "protocols.html").read_text(encoding="utf-8")
    text = html.unescape(page)
    report = json.loads(measured.stdout)
    assert all(note in text for note in report["notes"])
    assert all(table["title"] in text for table in report["tables"])
    assert not re.search(r"[0-9]\.[0-9]{4}", re.sub("<[^>]*>", "", page)), "numbers have the digits that they deserve"
    assert page.count('class="stack"') == 2 * len(RUNGS[2:])  # over the queue and over TCP
    assert len(page) < 2_000_000


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_bars_are_drawn_in_a_browser(site: Path, viewport: dict[str, int]) -> None:
    with chromium() as browser, tab(browser, viewport=viewport) as opened:
        opened.go(site / "protocols.html")
        bar = opened.page.locator("svg.stack").first
        box, parts = bar.bounding_box(), bar.locator("rect[class^=part]")
        assert box
        assert box["width"] > 60
        assert parts.count() == 3
        assert all(part["width"] > 0 for part in (each.bounding_box() for each in parts.all()) if part)
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


@pytest.fixture
def alone(command: CommandLine, tmp_path: Path) -> CommandLine:
    """Return the command with results of its own: what a test measures is not the last ladder of other tests."""
    return replace(command, results=tmp_path / "results")


def test_an_aead_without_associated_data_is_a_rung_that_finds_every_change(alone: CommandLine) -> None:
    words = ("salsa20-poly1305", "--transport", "queue", "--payload", "45", "--rounds", "1", "--format", "json")
    result = alone("protocol", "ladder", *words)
    assert json.loads(result.stdout)["failures"] == []
    [counts] = tables(result, "protocol-counts")
    assert column(counts, "bytes sent")["aead+salsa20-poly1305"] == 2 * (12 + 16 + 59)


def test_packet_formats_have_the_bytes_of_their_protocols(alone: CommandLine) -> None:
    result = alone(
        "protocol", "ladder", "aes-128-gcm", "--formats", "--transport", "queue", "--payload", "45,300",
        "--rounds", "1", "--format", "json",
    )  # fmt: skip
    short, long = (column(counts, "bytes sent") for counts in tables(result, "protocol-counts"))
    assert short["wireguard+aes-128-gcm"] == 2 * (16 + 64 + 16)  # 59 bytes padded to 64
    assert short["quic+aes-128-gcm+aes"] == long["quic+aes-128-gcm+aes"] == 2 * 1200
    assert short["esp+aes-128-gcm"] == 2 * (16 + 64 + 16)  # the message, 3 bytes of padding and 2 of trailer
    assert long["wireguard+aes-128-gcm"] == 2 * (16 + 320 + 16)
    assert long["esp+aes-128-gcm"] == 2 * (16 + 316 + 16)  # no padding
    predicted = tables(result, "protocol-prediction")
    assert len(predicted) == 2, "any payload is predicted"
    assert all(cycles > 0 for table in predicted for cycles in column(table, "hot").values())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tower",), "unknown study 'tower'"),
        (("ladder", "aes-128-gmc"), "did you mean 'aes-128-gcm'?"),
        (("ladder", "--transport", "tpc"), "did you mean 'tcp'?"),
        (("ladder", "--payload", "many"), "--payload many is not a list of numbers"),
        (("ladder", "--payload", "9999999"), "--payload 9999999 is out of range"),
        (("ladder", "--keys", "0"), "--keys 0 is out of range"),
        (("ladder", "--in-flight", "65"), "--in-flight 65 is out of range"),
    ],
)
def test_bad_input_is_one_line(command: CommandLine, words: tuple[str, ...], message: str) -> None:
    result = command("protocol", *words)
    assert result.status == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
