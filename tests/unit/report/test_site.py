# SPDX-License-Identifier: MIT OR Apache-2.0
"""The web report: its pages, links and numbers, with nothing from outside."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

from cyclometer.cli._site import site_data_of
from cyclometer.errors import CyclometerError
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import Size
from cyclometer.records.tuning import Trial
from cyclometer.report.site import build_site, pages
from cyclometer.report.site.slugs import slug
from cyclometer.store import select_runs
from support.synthetic import process, run_info, sample, subject, write_run

HOSTILE = '<script>alert("x")</script>'
PRIMITIVES = {
    "crypto_aead/salsa20-poly1305": {
        "description": "Salsa20 with Poly1305", "security_bits": 256, "security_bits_quantum": 100,
    },
    "crypto_aead/rc4-poly1305": {
        "security_bits": 128,
        "attacks": [
            {
                "year": 2013, "breaks": "keystream", "cost": "2^26", "remaining_bits": 26,
                "citation": "AlFardan, Bernstein, Paterson, Poettering, Schuldt, USENIX Security 2013",
            }
        ],
    },
    "crypto_aead/never-ran": {"security_bits": 128, "attacks": []},
}  # fmt: skip
LENGTHS = (0, 40, 402, 576, 1500, 8192)
SYSTEMS = {"salsa20-poly1305": 4.0, "equally-fast": 4.0, "rc4-poly1305": 9.0, HOSTILE: 20.0}


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.found: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def attributes(self, tag: str, name: str) -> list[str]:
        return [attributes[name] for found, attributes in self.found if found == tag and name in attributes]

    @property
    def addresses(self) -> list[str]:
        return [attributes[name] for _, attributes in self.found for name in ("href", "src") if name in attributes]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store a run of four systems, two equally fast, one with markup for a name, and failures."""
    folder = tmp_path_factory.mktemp("results")
    info = run_info(primitives=PRIMITIVES, plan={"options": {"seed": 7}})
    processes = []
    for name, per_byte in SYSTEMS.items():
        rows = [sample("empty", 0), sample("expandkey", 300)]
        for measure in ("encrypt", "decrypt", "reject"):
            rows += [sample(measure, 1000 + per_byte * length, length) for length in LENGTHS]
        rows += [sample("encrypt", 1000 + per_byte * 576 + keys, 576, keys=keys) for keys in (32, 2048)]
        processes += [process(name, rows, round=number, info=info) for number in range(3)]
    failures = [
        Failure(
            stage="build",
            subject=subject("never-ran", "avx512"),
            kind=FailureKind.NEEDS_FEATURE,
            reason="needs avx512f",
            detail=HOSTILE,
        ),
        Failure(
            stage="check",
            subject=subject("rc4-poly1305", "wrong"),
            kind=FailureKind.FORGERY_ACCEPTED,
            reason="accepts a forgery",
        ),
    ]
    trials = [Trial(subject=subject(name), cycles=2000.0, timings=9, chosen=True) for name in SYSTEMS]
    trials.append(Trial(subject=subject("rc4-poly1305", "slow"), cycles=4000.0, timings=2, chosen=False))
    tied = Trial(
        subject=subject("rc4-poly1305", "tied"), cycles=1999.0, timings=9, chosen=False, decided_by="fixed order"
    )
    trials.append(tied)
    sizes = [Size(subject=subject(name), name="expanded_key_bytes", value=176) for name in SYSTEMS]
    sizes += [Size(subject=subject(name), name="vectors_passed", value=77) for name in SYSTEMS]
    write_run(folder, info, processes, failures=failures, trials=trials, sizes=sizes)
    return folder


@pytest.fixture(scope="module")
def site(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the report of that run."""
    folder = tmp_path_factory.mktemp("out") / "site"
    build_site(site_data_of(select_runs(results)), folder)
    return folder


@pytest.fixture(scope="module")
def documents(site: Path) -> list[Elements]:
    """Read every page of the report."""
    return [Elements(path) for path in sorted(site.rglob("*.html"))]


def value(site: Path, key: str) -> Any:
    """Return the value in a data file."""
    text = (site / "data" / f"{key}.js").read_text(encoding="ascii")
    assert text.startswith(f"cyclometer.deliver({json.dumps(key)},")
    return json.loads(text[text.index(",") + 1 : text.rindex(");")])


def unpacked(packed: Mapping[str, Any]) -> list[float]:
    """Return the numbers of a packed array."""
    if "list" in packed:
        return [float("nan") if number is None else float(number) for number in packed["list"]]
    kinds = {"f4": "<f4", "i4": "<i4", "i2": "<i2", "u1": "u1"}
    content = gzip.decompress(base64.b64decode(packed["gzip"]))
    return [float(number) for number in np.frombuffer(content, kinds[packed["kind"]])]


def test_there_is_a_page_for_every_kind_system_and_machine(site: Path) -> None:
    for kind in pages.kinds():
        assert (site / kind.ADDRESS).is_file()
    for name in (*SYSTEMS, "never-ran"):
        assert (site / "systems" / "crypto_aead" / f"{slug(name)}.html").is_file()
    assert (site / "machines" / "box.html").is_file()


def test_every_link_leads_to_a_page_of_the_site(site: Path, documents: list[Elements]) -> None:
    for document in documents:
        for address in document.addresses:
            path = unquote(address.partition("#")[0])
            if path and not path.startswith("data:"):
                target = (document.path.parent / path).resolve()
                assert target.is_file(), f"{document.path}: {address}"
                assert target.is_relative_to(site)


def test_nothing_comes_from_outside(site: Path, documents: list[Elements]) -> None:
    for document in documents:
        assert not [address for address in document.addresses if re.match(r"[a-z]+:(?!,)|//", address)]
    for path in [*site.glob("assets/*.css"), *site.glob("data/**/*.js")]:
        assert "http" not in path.read_text(encoding="utf-8")


def test_no_page_is_large_and_the_script_of_the_graphs_is_there_once(site: Path) -> None:
    assert max(path.stat().st_size for path in site.rglob("*.html")) < 5e6
    assert len(list(site.rglob("uPlot.iife.min.js"))) == 1


def test_the_start_page_states_what_was_measured_where_and_when(site: Path) -> None:
    text = Elements(site / "index.html").text
    for words in ("4 systems", "box", "Example CPU 3.0 GHz", "perf-rdpmc", "21 November 2026", "26 of 128 bits"):
        assert words in text.replace("\u00a0", " ")


def test_ties_are_shown_as_ties(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    ranks = re.findall(r'class="number rank" data-value="(\d+)">([^<]*)<', text)
    assert ranks == [("1", "1="), ("1", "1="), ("3", "3"), ("4", "4")]
    assert "no significant difference from the fastest" in text


def test_a_system_page_has_its_attacks_tunings_failures_and_sizes(site: Path) -> None:
    text = Elements(site / "systems/crypto_aead/rc4-poly1305.html").text
    for words in (
        "USENIX Security 2013",
        "leaves 26 bits",
        "2.00 ×",
        "tie; fixed order",
        "check: accepts a forgery",
        "176",
    ):
        assert words in text


def test_a_system_page_has_the_number_of_vectors_passed_and_the_security_against_a_quantum_computer(site: Path) -> None:
    text = Elements(site / "systems/crypto_aead/salsa20-poly1305.html").text.replace("\u00a0", " ")
    assert "ref gcc-O3 passed 77 published vectors" in text
    assert "vectors passed77" not in re.sub(r"\s+", "", text)  # not a size
    assert "100 bits against a quantum computer" in text


def test_systems_are_ordered_by_remaining_security_the_undeclared_last(site: Path) -> None:
    text = Elements(site / "security.html").text
    names = ["salsa20-poly1305", "never-ran", "rc4-poly1305", "equally-fast"]
    assert sorted(names, key=text.index) == names


def test_an_operation_without_lengths_has_a_ranking_and_no_graph(tmp_path: Path) -> None:
    info = run_info(contracts={"crypto_dh": "d"}, primitives={})
    shared = {("shared", 0): 5000.0, ("keypair", 0): 4000.0}
    parts = [
        process(name, cycles={key: value * times for key, value in shared.items()}, operation="crypto_dh", info=info)
        for name, times in (("fast", 1), ("slow", 3))
    ]
    write_run(tmp_path / "results", info, parts)
    build_site(site_data_of(select_runs(tmp_path / "results")), tmp_path / "site")
    assert "15000" in Elements(tmp_path / "site/index.html").text
    assert "data-graph" not in (tmp_path / "site/systems/crypto_dh/fast.html").read_text()
    operation = value(tmp_path / "site", "catalogue")["operations"][0]
    assert (operation["measures"], operation["plain"]) == ([], ["keypair", "shared"])
    assert operation["usual"] == ["fast", "slow"]


def test_a_system_without_numbers_has_the_reason(site: Path) -> None:
    text = Elements(site / "systems/crypto_aead/never-ran.html").text
    assert "No numbers" in text
    assert "needs avx512f" in text


def test_a_number_links_to_its_raw_samples_and_the_command_that_repeats_it(site: Path) -> None:
    tables = Elements(site / "tables.html")
    wanted = "salsa20-poly1305.html#raw/length=402/keys=1/machine=box/measure=encrypt"
    parts = set(wanted.split("/"))
    assert any(parts <= set(address.split("/")) for address in tables.addresses)

    raw = value(site, "raw/crypto_aead.salsa20-poly1305.box.2026-11-21T21-00-00-quick")
    rows = list(
        zip(*(unpacked(raw[name]) for name in ("measure", "length", "keys", "cycles", "overhead")), strict=True)
    )
    encrypt = raw["names"]["measure"].index("encrypt")
    assert rows.count((encrypt, 402, 1, 1000 + 4 * 402, 24)) == 3
    assert unpacked(raw["timings"]).count(1000 + 4 * 402 + 24) == 3 * 15 * 3  # three measures, 15 timings, three rounds

    page = (site / "systems/crypto_aead/salsa20-poly1305.html").read_text(encoding="utf-8")
    index = json.loads(re.findall(r'id="raw-index">(.*?)</script>', page)[0])
    command = "cyclometer run salsa20-poly1305 --implementation ref --profile quick --seed 7 --machine box"
    assert index["box"]["runs"][0]["repeat"] == command.split()


def test_the_comparison_has_the_lines_of_every_system(site: Path) -> None:
    operation = value(site, "catalogue")["operations"][0]
    assert {system["name"] for system in operation["systems"]} == set(SYSTEMS)
    assert operation["measures"] == ["encrypt", "decrypt", "reject"]
    lines = value(site, operation["machines"][0]["lines"]["rc4-poly1305"])
    reject = next(line for line in lines if line["measure"] == "reject")
    assert unpacked(reject["length"]) == list(LENGTHS)
    assert unpacked(reject["cycles"]) == [1000 + 9 * length for length in LENGTHS]


def test_a_line_shows_the_values_of_the_tables_when_only_some_samples_of_a_round_are_quiet(tmp_path: Path) -> None:
    quiet, loud = 3000, 9000
    rows = [
        sample("empty", 0),
        sample("encrypt", quiet, 576),
        sample("encrypt", loud, 576, context_switches=1),
        sample("encrypt", loud, 576, context_switches=1),
    ]
    processes = [process("salsa20-poly1305", rows, round=round) for round in range(3)]
    write_run(tmp_path / "results", run_info(), processes)
    site = tmp_path / "site"
    build_site(site_data_of(select_runs(tmp_path / "results")), site)

    assert str(quiet) in Elements(site / "tables.html").text
    machine = value(site, "catalogue")["operations"][0]["machines"][0]
    [line] = value(site, machine["lines"]["salsa20-poly1305"])
    assert unpacked(line["cycles"]) == [quiet]
    raw = value(site, "raw/crypto_aead.salsa20-poly1305.box.2026-11-21T21-00-00-quick")
    assert sorted(unpacked(raw["cycles"])) == [quiet] * 3 + [loud] * 6  # each sample has its own value


def test_downloads_hold_the_run_the_tables_and_lines_for_other_tools(site: Path, results: Path) -> None:
    links = [address for address in Elements(site / "downloads.html").addresses if address.startswith("downloads/")]
    names = {Path(link).name for link in links}
    assert {"samples.parquet", "run.json", "tables.csv", "tables.json", "supercop-data.txt"} <= names
    stored = next(results.glob("box/*/samples.parquet"))
    copied = next(site.glob("downloads/box/*/samples.parquet"))
    assert copied.read_bytes() == stored.read_bytes()
    assert "salsa20-poly1305" in (site / "downloads" / "supercop-data.txt").read_text()


def test_names_with_markup_stay_text(site: Path, documents: list[Elements]) -> None:
    for document in documents:
        assert HOSTILE not in document.path.read_text(encoding="utf-8")
        assert all(
            attributes for tag, attributes in document.found if tag == "script"
        )  # the report's own have a src or a type
    assert HOSTILE in Elements(site / "failures.html").text
    for path in site.glob("data/**/*.js"):
        assert "<" not in path.read_text(encoding="ascii")


def test_pages_can_be_used_with_a_screen_reader_and_by_keyboard(documents: list[Elements]) -> None:
    for document in documents:
        tags = [tag for tag, _ in document.found]
        assert tags.count("main") == tags.count("h1") == 1
        assert "nav" in tags
        assert document.attributes("html", "lang") == ["en"]
        assert document.attributes("a", "href")[0] == "#content"
        sortable = [a for tag, a in document.found if tag == "th" and a.get("scope") == "col"]
        assert all(a["aria-sort"] in {"none", "ascending", "descending"} for a in sortable)
        regions = [a for _, a in document.found if a.get("role") == "region"]
        assert all(a["aria-label"] and a["tabindex"] == "0" for a in regions)


def test_a_run_under_way_is_shown_as_far_as_it_is(tmp_path: Path) -> None:
    info = run_info()
    write_run(tmp_path / "results", info, [process("salsa20-poly1305", cycles={("encrypt", 576): 3000})], finish=False)
    stored = select_runs(tmp_path / "results", [info.run])
    build_site(site_data_of(stored), tmp_path / "site")
    text = Elements(tmp_path / "site/index.html").text
    assert "is interrupted: this report shows what it has measured so far" in text
    assert "3000" in text


def test_a_run_without_a_sample_yet_has_all_pages(tmp_path: Path) -> None:
    write_run(tmp_path / "results", run_info(), finish=False)
    build_site(site_data_of(select_runs(tmp_path / "results", [run_info().run])), tmp_path / "site")
    assert "Nothing has been measured yet" in Elements(tmp_path / "site/index.html").text
    assert "nothing to compare yet" in Elements(tmp_path / "site/compare.html").text


def test_machines_are_shown_side_by_side(tmp_path: Path) -> None:
    for machine, cycles in (("box", 3000), ("other", 4000)):
        info = run_info(machine=machine)
        processes = [
            process("salsa20-poly1305", cycles={("encrypt", 576): cycles, ("decrypt", 576): cycles}, info=info)
        ]
        write_run(tmp_path / "results", info, processes)
    build_site(site_data_of(select_runs(tmp_path / "results", everything=True)), tmp_path / "site")
    assert (tmp_path / "site/machines/other.html").is_file()
    text = Elements(tmp_path / "site/systems/crypto_aead/salsa20-poly1305.html").text
    assert "3000" in text
    assert "4000" in text


def test_without_raw_timings_nothing_leads_to_them(results: Path, tmp_path: Path) -> None:
    build_site(site_data_of(select_runs(results)), tmp_path / "site", with_raw=False)
    assert not (tmp_path / "site/data/raw").exists()
    assert not list((tmp_path / "site").rglob("*.parquet"))
    assert "#raw" not in (tmp_path / "site/tables.html").read_text(encoding="utf-8")


def test_a_report_replaces_a_report_and_nothing_else(results: Path, tmp_path: Path) -> None:
    stored = select_runs(results)
    mine = tmp_path / "letters"
    mine.mkdir()
    (mine / "dear.txt").write_text("x")
    with pytest.raises(CyclometerError, match="not empty"):
        build_site(site_data_of(stored), mine)
    assert [path.name for path in mine.iterdir()] == ["dear.txt"]
    for _ in range(2):
        build_site(site_data_of(stored), tmp_path / "site")
    assert {path.name for path in tmp_path.iterdir()} == {"letters", "site"}


def test_file_names_are_plain_and_unique_whatever_systems_are_called() -> None:
    names = ["aes-128-gcm", "AES-128-GCM", "../../etc", "a/b", "a b", HOSTILE, "x" * 300, ".hidden"]
    slugs = [slug(name) for name in names]
    assert len(set(slugs)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9_][A-Za-z0-9._-]{0,99}|-?[a-z0-9._-]+", each) for each in slugs)
    assert slugs[0] == "aes-128-gcm"
    assert not any("/" in each or each.startswith(".") for each in slugs)
