# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every page of the report in a real browser, with the names of a hostile tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cyclometer.analyse.estimate.interpolation import shares
from cyclometer.cli._site import site_data_of
from cyclometer.records.digits import number_text
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Trial
from cyclometer.report.site import build_site
from cyclometer.report.site.slugs import slug
from cyclometer.store import select_runs
from support.browser import PHONE, TIMEOUT_MS, Tab, chromium, pages_of, tab
from support.synthetic import process, run_info, sample, subject, write_run

ATTACK = "alert(document.title)"
HOSTILE = f'"><img src=x onerror={ATTACK}></script><script>{ATTACK}</script> $$\\href{{javascript:{ATTACK}}}{{x}}$$'
EVIL_MACHINE = f"<img src=x onerror={ATTACK}>"
SYSTEMS = {"salsa20-poly1305": 4.03, "aes-128-gcm": 1.07, "rc4-poly1305": 7.1, HOSTILE: 2.2}
LENGTHS = (0, 40, 402, 576, 1500, 8192)
BYTES_A_PAGE = 2_000_000
MANY_PIXELS = 100  # more than anti-aliased edges of other colours
SWEEPS = 5  # of the mouse: a busy browser drops some of its moves
READABLE = 4.5  # contrast of text, WCAG 2.1 AA

CONTRAST = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const worst = [...document.querySelectorAll("p, a, th, td, caption span, label, h1, h2, h3, button")]
    .filter((e) => e.textContent.trim() && e.checkVisibility())
    .map((e) => { const ink = light(getComputedStyle(e).color); return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05); });
  return { paper, worst: Math.min(...worst) };
}"""  # noqa: E501 - a program in another language

PIXELS = """(canvases, colour) => {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return canvases.map((canvas) => {
    const context = canvas.getContext("2d");
    if (!context || !canvas.width || !canvas.height) return 0;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 24 && data[at + 3] > 128) found += 1;
    }
    return found;
  }).reduce((a, b) => a + b, 0);
}"""  # noqa: E501


FOCUSED = "(({ name, id, dataset, textContent }) => name || id || dataset.preset || textContent.trim())(document.activeElement)"  # noqa: E501


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the report of two machines and four systems, with an attack in every name."""
    folder = tmp_path_factory.mktemp("results")
    box = run_info(primitives={f"crypto_aead/{name}": declared(name) for name in SYSTEMS})
    counter = {**box.counter, "name": HOSTILE, "unit": HOSTILE, "chain_cycles": 0}
    evil = run_info(
        machine=EVIL_MACHINE, run="2026-11-22T21-00-00-quick", counter=counter, profile=HOSTILE,
        facts={"cpu": HOSTILE, HOSTILE: HOSTILE}, compilers={HOSTILE: HOSTILE}, command=("cyclometer", HOSTILE),
        primitives=box.primitives,
    )  # fmt: skip
    for info in (box, evil):
        rounds = [(name, per_byte, number) for name, per_byte in SYSTEMS.items() for number in range(3)]
        processes = [process(name, rows(per_byte, n), round=n, info=info) for name, per_byte, n in rounds]
        about = subject(HOSTILE, HOSTILE, HOSTILE)
        failures = [Failure(stage="build", subject=about, kind=FailureKind.CRASH, reason=HOSTILE, detail=HOSTILE)]
        trials = [Trial(subject=subject(name), cycles=2000.0, timings=9, chosen=True) for name in SYSTEMS]
        write_run(folder, info, processes, failures=failures, trials=trials)
    made = tmp_path_factory.mktemp("out") / "site"
    build_site(site_data_of(select_runs(folder, everything=True)), made)
    return made


def declared(name: str) -> dict[str, object]:
    attack = {"year": 2013, "breaks": HOSTILE, "cost": HOSTILE, "remaining_bits": 26, "citation": HOSTILE}
    facts = {"description": HOSTILE, "security_bits": 128, "source": f"javascript:{ATTACK}"}
    return {**facts, "attacks": [attack] if name == "rc4-poly1305" else []}


def rows(per_byte: float, number: int) -> list[dict[str, object]]:
    measures = {"encrypt": 1.0, "decrypt": 0.9, "reject": 0.6, HOSTILE: 0.3}
    timed = [sample(m, (900 + number + per_byte * n) * part, n) for m, part in measures.items() for n in LENGTHS]
    keyed = [sample("encrypt", 900 + 576 * per_byte + keys, 576, keys=keys) for keys in (32, 2048)]
    noise = sample("encrypt", 880 + 576 * per_byte + 40 * (number - 1), 576, keys=8)
    return [sample("empty", 0), *timed, noise, *keyed]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def here(browser: Browser) -> Iterator[Tab]:
    with tab(browser) as opened:
        yield opened


def drawn(page: Page) -> None:
    """Wait until all graphs of the page are drawn."""
    for plot in page.locator(".plot").all():
        plot.scroll_into_view_if_needed()
        expect(plot).to_have_attribute("data-drawn", "yes")


def wait_for_ink(page: Page, name: str, there: bool = True) -> None:
    """Wait until the canvases of the page show a colour of the style sheet, or no longer show it."""
    colour = page.evaluate("(name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()", name)
    for _ in range(TIMEOUT_MS // 100):
        found = page.locator(".plot canvas").evaluate_all(PIXELS, colour)
        if (found > MANY_PIXELS) == there:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{found} pixels of {name} {colour}")


def ink_of(page: Page, system: str) -> str:
    """Return the colour beside a system's name on the comparison page."""
    swatch = page.locator("#systems label", has_text=system).locator(".swatch").get_attribute("class") or ""
    return f"--{re.findall(r's[0-7]', swatch)[-1]}"


def test_every_page_opens_without_an_error_and_has_contrast_in_light_and_dark_mode(site: Path, here: Tab) -> None:
    """Nor does any request something from outside."""
    for file in pages_of(site):
        assert file.stat().st_size < BYTES_A_PAGE
        here.go(file)
        expect(here.page.locator("h1")).to_be_visible()
        for dark in (True, False):
            here.page.emulate_media(color_scheme="dark" if dark else "light")
            seen = here.page.evaluate(CONTRAST)
            assert (seen["paper"] < 0.2) == dark
            assert seen["worst"] >= READABLE, f"{file.name}: {seen}"
        drawn(here.page)
        assert not here.complaints, f"{file.name}: {here.complaints}"


def test_no_page_is_wider_than_a_phone(site: Path, browser: Browser) -> None:
    with tab(browser, viewport=PHONE) as opened:
        for file in pages_of(site):
            opened.go(file)
            if file.name == "compare.html":
                drawn(opened.page)
            width = opened.page.evaluate("document.documentElement.scrollWidth")
            assert width <= PHONE["width"], f"{file.name} is {width} wide"


def test_a_system_s_graph_is_drawn(site: Path, here: Tab) -> None:
    here.go(site / "systems/crypto_aead/rc4-poly1305.html")
    drawn(here.page)
    wait_for_ink(here.page, "--s0")
    wait_for_ink(here.page, "--s1")


def test_the_legend_tells_dashed_lines_from_those_of_the_same_colour(site: Path, here: Tab) -> None:
    here.go(site / "systems/crypto_aead/rc4-poly1305.html")
    drawn(here.page)
    border = "(entry) => getComputedStyle(entry.querySelector('.u-marker')).borderStyle"
    entries = here.page.locator(".u-series")
    assert entries.filter(has_text="encrypt").first.evaluate(border) == "solid"
    assert entries.filter(has_text="per byte").first.evaluate(border) == "dashed"


def test_a_line_that_is_switched_off_disappears_from_the_graph(site: Path, here: Tab) -> None:
    here.go(site / "systems/crypto_aead/aes-128-gcm.html")
    drawn(here.page)
    wait_for_ink(here.page, "--s1")
    for toggles in here.page.locator(".toggles").all():
        toggles.get_by_label("decrypt", exact=True).uncheck()
    wait_for_ink(here.page, "--s1", there=False)


def test_the_legend_describes_the_point_and_hostile_names_run_nothing(site: Path, here: Tab) -> None:
    chosen = quote(quote(HOSTILE, safe=""), safe="")
    for file, fragment in (
        (site / "systems/crypto_aead" / f"{slug(HOSTILE)}.html", ""),
        (site / "compare.html", f"machines={quote(quote(EVIL_MACHINE))}&unit=first&systems={chosen},rc4-poly1305"),
    ):
        here.go(file, fragment)
        drawn(here.page)
        tooltips = ""
        for _ in range(SWEEPS):
            tooltips += " ".join(hover_over(here.page, plot) for plot in here.page.locator(".plot").all())
            if f"onerror={ATTACK}" in tooltips and re.search(r"bytes: \d", tooltips):
                break
        assert f"onerror={ATTACK}" in tooltips
        assert re.search(r"bytes: \d", tooltips)
        assert "NaN" not in tooltips


def hover_over(page: Page, plot: Locator) -> str:
    """Return what the legend of the graph shows while the mouse moves up along its middle."""
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box
    tooltips = []
    for step in range(8, 60):
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * (1 - step / 60))
        page.wait_for_timeout(25)
        tooltips += plot.locator(".u-legend").all_inner_texts()
    return re.sub(r"\s+", " ", " ".join(tooltips))


def test_the_address_holds_the_systems_compared_and_follows_changes(site: Path, here: Tab) -> None:
    here.go(site / "compare.html", "systems=aes-128-gcm,rc4-poly1305&machines=box&lengths=402&load=402,2048,10")
    drawn(here.page)
    load = here.page.locator("#load")
    expect(load).to_contain_text("402-byte packets, 2048 active keys, 10 % forged")
    expect(load.locator("tbody th")).to_have_text([re.compile("aes-128-gcm"), re.compile("rc4-poly1305")])
    here.page.locator("#systems").get_by_label("salsa20-poly1305").check()
    here.page.locator("select[name=measure]").select_option("decrypt")
    here.page.locator("input[name=lengths]").fill("40, 1500")
    here.page.locator("input[name=lengths]").press("Tab")
    expect(here.page.locator("#at thead")).to_contain_text("1500")
    address = here.page.url
    for part in ("systems=aes-128-gcm,rc4-poly1305,salsa20-poly1305", "measure=decrypt", "lengths=40,1500", "load=402"):
        assert part in address
    table = here.page.locator("#at table").inner_text()
    here.page.reload()
    drawn(here.page)
    expect(here.page.locator("#at tbody tr")).to_have_count(3)
    assert here.page.locator("#at table").inner_text() == table
    assert here.page.locator("select[name=measure]").input_value() == "decrypt"
    assert here.page.url == address
    wait_for_ink(here.page, ink_of(here.page, "aes-128-gcm"))


def test_a_table_sorts_by_mouse_and_by_keyboard(site: Path, here: Tab) -> None:
    here.go(site / "index.html")
    table = here.page.locator("table", has=here.page.locator("th", has_text="8192")).first
    head = table.locator("thead th", has_text="system")
    names = table.locator("tbody th")
    before = names.all_inner_texts()
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert names.all_inner_texts() == sorted(before, key=str.lower)
    head.locator("button").focus()
    here.page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert names.all_inner_texts() == sorted(before, key=str.lower, reverse=True)
    number = table.locator("thead th", has_text="8192")
    number.locator("button").focus()
    here.page.keyboard.press("Space")
    assert names.all_inner_texts() == before  # the start page is sorted by the longest packet


def test_the_controls_are_reached_by_the_keyboard(site: Path, here: Tab) -> None:
    here.go(site / "compare.html")
    drawn(here.page)
    here.page.keyboard.press("Tab")
    assert here.page.evaluate("document.activeElement.className") == "skip"
    seen: set[str] = set()
    for _ in range(80):
        here.page.keyboard.press("Tab")
        seen.add(here.page.evaluate(FOCUSED))
    wanted = {"Compare", "fastest", "all", "none", "system", "machine", "measure", "keys", "unit", "share"}
    assert wanted | {"lengths", "load-length", "load-keys", "load-forged"} <= seen


def test_the_requested_security_hides_the_rest_and_is_in_the_address(site: Path, here: Tab) -> None:
    here.go(site / "security.html")
    rows = here.page.locator("section.levels tbody tr:visible")
    expect(rows).to_have_count(len(SYSTEMS))
    here.page.get_by_label("Minimum bits left").fill("100")
    expect(rows).to_have_count(len(SYSTEMS) - 1)
    expect(here.page.locator("#level-count")).to_have_text(f"{len(SYSTEMS) - 1} systems")
    assert "bits=100" in here.page.url
    here.page.reload()
    expect(rows).to_have_count(len(SYSTEMS) - 1)
    expect(here.page.locator("tbody tr", has_text="rc4-poly1305")).to_be_hidden()
    here.page.get_by_label("Minimum bits against a quantum computer").fill("1")
    expect(here.page.locator("section.levels .empty")).to_be_visible()


def test_a_number_links_to_its_raw_samples(site: Path, here: Tab) -> None:
    here.go(site / "tables.html")
    row = here.page.locator("table").first.locator("tbody tr", has_text="salsa20-poly1305")
    row.locator("td.number a").first.click()
    raw = here.page.locator("#raw-samples")
    expect(raw.locator("tbody tr")).to_have_count(3)
    expect(raw).to_contain_text("cyclometer run salsa20-poly1305")
    expect(raw).to_contain_text("SELECT round, series")


def test_every_timing_is_drawn_on_request(site: Path, here: Tab) -> None:
    here.go(site / "systems/crypto_aead/salsa20-poly1305.html")
    drawn(here.page)
    here.page.locator("button[data-every=box]").click()
    expect(here.page.locator("button[data-every=box]")).to_contain_text("timings drawn")


def test_which_system_is_answered_for_a_length_and_keys_over_the_machines_chosen(site: Path, here: Tab) -> None:
    """The cost at 988 bytes lies between 576 and 1500; 2048 keys add 2048 cycles, as measured at 576 bytes."""
    here.go(site / "index.html", f"measure=encrypt&length=988&keys=2048&machines={quote('box')}")
    answer = here.page.locator("#answer")
    expect(answer).to_have_attribute("data-drawn", "yes")
    first = answer.locator("li").first
    expect(first).to_contain_text("aes-128-gcm")
    expect(first).to_contain_text("best")
    expect(first).to_contain_text(f"≈\u00a0{900 + 1.07 * 988 + 2048:.0f}")
    expect(answer.locator("li")).to_have_count(4)
    here.page.get_by_label("only unbroken").check()
    expect(answer.locator("li")).to_have_count(3)  # without rc4-poly1305
    assert "unbroken=yes" in here.page.evaluate("location.hash")


def test_the_browser_rounds_and_interpolates_as_the_command_line_does(site: Path, here: Tab) -> None:
    here.go(site / "index.html")
    numbers = [(71.64, 0.2), (71.64, 3.0), (1234.4, 30.0), (36397.0, 258.0), (140.0, 900.0), (5.2, 30.0), (99.97, 0.01)]
    shown = here.page.evaluate("each => each.map(([value, error]) => cyclometer.digits(value, false, error))", numbers)
    assert shown == [number_text(value, "core cycles", error) for value, error in numbers]
    nodes, lengths = [0, 100, 500], [0, 50, 100, 200, 500, 501]
    parts = here.page.evaluate(
        "([nodes, lengths]) => lengths.map((at) => cyclometer.shares(nodes, at).map(([n, part]) => [nodes[n], part]))",
        [nodes, lengths],
    )
    assert parts == [[list(part) for part in shares(nodes, length)] for length in lengths]


def test_noise_is_not_shown_as_what_many_keys_add(site: Path, here: Tab) -> None:
    """With 8 keys the rounds differ by 80 cycles around 21 less than with one: nothing. 2048 keys add 2048."""
    here.go(site / "compare.html", "systems=aes-128-gcm&machines=box&load=576,8,0")
    cell = here.page.locator("#load tbody tr").first.locator("td").last
    expect(cell).to_have_text("<100")  # Student's t: 4.303 * 40 / sqrt(3) = 99.4
    here.go(site / "compare.html", "systems=aes-128-gcm&machines=box&load=576,2048,0")
    expect(cell).to_have_text(re.compile(r"^20[345]\d$"))


def test_the_search_field_leads_to_the_systems_found(site: Path, here: Tab) -> None:
    here.go(site / "index.html")
    here.page.get_by_label("Find a system").fill("salsa20")
    here.page.get_by_label("Find a system").press("Enter")
    expect(here.page).to_have_url(re.compile(r"systems\.html#find=salsa20$"))
