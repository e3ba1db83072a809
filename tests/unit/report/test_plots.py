# SPDX-License-Identifier: MIT OR Apache-2.0
"""Plots: their axes, legends and captions, but not their looks."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from cyclometer.analyse.comparison.crossovers import order
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.curve import (
    BEST,
    BETWEEN,
    LENGTH,
    TIMING,
    WORST,
    Cloud,
    Curve,
    PairOrder,
    PlacedCurve,
    PlotData,
    PlotOptions,
    System,
)
from cyclometer.records.table import Context
from cyclometer.report import plots
from cyclometer.report.plots import _axes, _page
from cyclometer.report.plots._labels import spread

SIX = (0, 40, 402, 576, 1500, 8192)
EVERY = tuple(range(8193))
KINDS = ("keys", "machines", "overlay", "overview", "sheet", "system")
OF_PLACEMENT = ("competition", "settling", "situations")


def system(name: str, machine: str = "box") -> System:
    return System(
        machine=machine, operation="crypto_aead", primitive=name, implementation="ref", compiler="gcc-O3", label=name
    )


def line(
    of: System, fixed: float, per_byte: float, lengths: tuple[int, ...] = SIX, measure: str = "encrypt", keys: int = 1
) -> Curve:
    """Make a curve of three rounds a cycle apart."""
    positions = np.array(lengths)
    cycles = fixed + per_byte * positions
    return Curve(
        system=of,
        measure=measure,
        keys=keys,
        lengths=positions,
        cycles=cycles,
        rounds=cycles[:, None] + np.array([-1.0, 0.0, 1.0]),
        low=cycles - 1,
        high=cycles + 1,
        first_quartile=cycles - 2,
        third_quartile=cycles + 2,
        disturbed=np.zeros(len(lengths), bool),
    )


def cloud(of: Curve) -> Cloud:
    """Make a cloud of two timings per length, the first 500 cycles above the second."""
    return Cloud(
        system=of.system,
        measure=of.measure,
        lengths=np.repeat(of.lengths, 2).astype(np.int32),
        cycles=np.repeat(of.cycles, 2).astype(np.float32) + np.tile([500, 0], len(of.lengths)).astype(np.float32),
        first=np.tile([True, False], len(of.lengths)),
    )


def context(machine: str) -> Context:
    return Context(
        machine=machine,
        cpu="Example CPU",
        counter="perf-rdpmc",
        unit="core cycles",
        converted_from="",
        profile="quick",
        runs=("2026-11-21T21-00-00-quick",),
        overhead=24.0,
        spread=0.004,
    )


def material(*curves: Curve, clouds: bool = True) -> PlotData:
    """Return the data that any kind of plot needs."""
    single = [curve for curve in curves if curve.keys == 1 and len(curve.lengths) > 1]
    pairs = [(a, b) for number, a in enumerate(single) for b in single[number + 1 :] if a.measure == b.measure]
    return PlotData(
        operation="crypto_aead",
        contexts={machine: context(machine) for machine in sorted({curve.system.machine for curve in curves})},
        expanded_key_bytes={curve.system: 100 for curve in curves},
        curves=curves,
        clouds=tuple(cloud(curve) for curve in single) if clouds else (),
        rivalries=tuple(
            PairOrder(first=a.system, second=b.system, measure=a.measure, order=order(a.lengths, a.rounds, b.rounds))
            for a, b in pairs
            if a.system.machine == b.system.machine
        ),
        length=576,
    )


def whole(lengths: tuple[int, ...] = SIX, machine: str = "box") -> list[Curve]:
    """Make the plot data of two systems that cross at 1000 bytes, for all measures of crypto_aead."""
    curves = []
    for name, fixed, per_byte in (("steep", 100.0, 3.0), ("flat", 1100.0, 2.0)):
        of = system(name, machine)
        curves += [line(of, fixed, per_byte, lengths, measure) for measure in ("decrypt", "encrypt")]
        curves += [line(of, fixed, per_byte / 4, lengths, "reject"), line(of, 250, 0, (0,), "expandkey")]
        curves += [line(of, fixed + 50 * keys, per_byte, (576,), keys=keys) for keys in (2, 32, 1024)]
    return curves


@pytest.fixture(autouse=True)
def printed() -> Iterator[None]:
    """Use the style of `cyclometer plot`."""
    with _page.style():
        yield


def drawn(kind: str, *materials: PlotData, options: PlotOptions | None = None) -> list[_page.Picture]:
    return list(plots.kind(kind).draw(materials, options or PlotOptions()))


@cache
def usual(kind: str, lengths: tuple[int, ...] = SIX) -> tuple[tuple[_page.Picture, str], ...]:
    """Return the pictures of `whole`, on two machines for a plot of machines, each with its text; drawn once."""
    curves = whole(lengths) + (whole(lengths, "other") if kind == "machines" else [])
    return tuple((picture, words(picture.figure)) for picture in drawn(kind, material(*curves)))


def words(figure: Figure) -> str:
    """Return all text of a plot."""
    figure.draw_without_rendering()
    return "\n".join(text.get_text() for text in figure.findobj(Text) if text.get_text())


def test_every_file_is_a_kind_with_a_summary() -> None:
    assert plots.kind_names() == sorted((*KINDS, *OF_PLACEMENT))
    assert all(plots.summaries()[name] for name in plots.kind_names())


def test_an_unknown_kind_is_reported_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'overlay'"):
        plots.kind("overlaid")


@pytest.mark.parametrize("lengths", [SIX, EVERY], ids=["quick", "full"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_names_machine_counter_run_and_units(kind: str, lengths: tuple[int, ...]) -> None:
    for picture, text in usual(kind, lengths):
        assert "box: Example CPU; perf-rdpmc, core cycles; quick profile, 2026-11-21T21-00-00-quick" in text.replace(
            "\n", " "
        )
        assert text.count("core cycles") >= 2
        named = [axes for axes in picture.figure.axes if axes.get_xlabel() and axes.axison]
        assert named
        assert all(label in text for label in ("steep", "flat")) or kind == "system"


@pytest.mark.parametrize("kind", KINDS)
def test_no_text_leaves_the_page(kind: str) -> None:
    long = replace(system("x"), label="an-exceedingly-long-name-of-a-system (implementation, compiler-O3)")
    curves = whole() + whole(machine="other") + [line(long, 500, 1), line(long, 500, 1, (576,), keys=32)]
    for picture in drawn(kind, material(*curves)):
        picture.figure.draw_without_rendering()
        width, height = picture.figure.bbox.size
        for text in picture.figure.texts:
            box = text.get_window_extent()
            assert 0 <= box.x0 < box.x1 <= width
            assert 0 <= box.y0 < box.y1 <= height


def test_system_has_a_plot_each_with_diagonal_lines_and_all_timings() -> None:
    found = usual("system")
    assert [picture.name for picture, _ in found] == ["steep-box", "flat-box"]
    steep = found[0][0].figure.axes[0]
    # 100 + 3 * 8192 cycles at most: the least round number of cycles per byte above that is 4
    assert steep.get_ylim() == pytest.approx((0, 4 * 8192))
    assert steep.get_xlim() == (0, 8192)
    text = found[0][1]
    assert "4 cycles/byte" in text
    assert "36 raw timings." in text  # three measures, six lengths, two timings
    assert all(name in text for name in ("encrypt", "decrypt", "reject", "first timing of a series"))


def test_timings_above_the_frame_are_counted_in_the_caption() -> None:
    (picture,) = drawn("system", material(line(system("s"), 100, 1)), options=PlotOptions(diagonal=1))
    # the frame ends at 8192 cycles: both timings at 8192 bytes (8292 and 8792) are above
    assert "12 raw timings, 2 of them above the frame." in words(picture.figure)


def test_many_keys_have_axes_of_their_own() -> None:
    picture, _ = usual("system")[0]
    keys = picture.figure.axes[1]
    assert keys.get_xlabel() == "active keys (packets of 576 bytes)"
    assert keys.get_xscale() == "log"
    without = drawn("system", material(*(curve for curve in whole() if curve.keys == 1)))[0]
    assert len(without.figure.axes) == 1


def test_all_panels_of_a_sheet_have_the_same_axes_the_fastest_first() -> None:
    ((picture, _),) = usual("sheet")
    assert [axes.get_title(loc="left") for axes in picture.figure.axes] == ["flat", "steep"]
    assert len({axes.get_ylim() for axes in picture.figure.axes}) == 1
    assert len({axes.get_xlim() for axes in picture.figure.axes}) == 1


def test_a_far_slower_system_does_not_flatten_a_sheet() -> None:
    curves = [line(system(f"s{number}"), 100, 1 + number / 10) for number in range(7)]
    (picture,) = drawn("sheet", material(*curves, line(system("slow"), 100, 60)))
    fast, *_, slow = (axes.get_ylim()[1] for axes in picture.figure.axes)
    # 100 + 1 * 8192 with 6 % of room is below 1.2 cycles per byte, 100 + 60 * 8192 below 80
    assert (fast, slow) == (pytest.approx(1.2 * 8192), pytest.approx(80 * 8192))
    assert "Each panel has its own scale" in words(picture.figure)


def test_a_far_slower_system_does_not_flatten_an_overlay() -> None:
    (picture,) = drawn("overlay", material(line(system("fast"), 100, 1), line(system("slow"), 100, 60)))
    assert picture.figure.axes[0].get_yscale() == "log"
    assert "logarithmic" in words(picture.figure)


def test_lines_of_an_overlay_are_named_at_their_ends() -> None:
    """Names of lines that end close together are moved apart."""
    (picture,) = drawn("overlay", material(*(line(system(f"s{n}"), 100, 1 + n / 1000) for n in range(8))))
    picture.figure.draw_without_rendering()
    names = [text for text in picture.figure.axes[0].texts if text.get_text().startswith("s")]
    boxes = sorted((Text.get_window_extent(text) for text in names), key=lambda box: box.y0)
    assert len(boxes) == 8
    assert all(below.y1 <= above.y0 for below, above in pairwise(boxes))


def test_places_are_moved_apart_as_little_as_possible() -> None:
    assert spread([0.1, 0.5, 0.9], 0.2) == [0.1, 0.5, 0.9]
    assert spread([0.5, 0.5], 0.2) == pytest.approx([0.4, 0.6])
    assert spread([0.5, 0.1, 0.5], 0.2) == pytest.approx([0.4, 0.1, 0.6])


def test_overlay_marks_the_crossover_and_the_undecided_lengths() -> None:
    (picture,) = drawn("overlay", material(*whole(EVERY)), options=PlotOptions(measure="encrypt"))
    rings = picture.figure.findobj(lambda artist: artist.get_gid() == "crossover")
    assert len(rings) == 1
    length = rings[0].get_xdata()[0]  # type: ignore[attr-defined]
    assert length == pytest.approx(1000, abs=2)
    assert rings[0].get_ydata()[0] == pytest.approx(100 + 3 * 1000, rel=0.01)  # type: ignore[attr-defined]
    assert f"steep faster, flat from {length:.0f} on (" in words(picture.figure)


def test_the_legend_of_an_overlay_names_only_what_is_drawn() -> None:
    apart = material(line(system("fast"), 100, 1), line(system("slow"), 1000, 5))
    (picture,) = drawn("overlay", apart)
    assert "fast faster everywhere" in words(picture.figure)
    assert not re.search("crossover|Rings", words(picture.figure))


def test_overlay_has_a_plot_for_each_measure() -> None:
    assert sorted(picture.name for picture, _ in usual("overlay")) == [
        f"crypto_aead-{measure}-box" for measure in ("decrypt", "encrypt", "reject")
    ]


def test_costs_of_more_keys_are_per_byte_of_an_expanded_key() -> None:
    ((picture, text),) = usual("keys")
    assert "encrypt 576-byte packets" in text
    right = picture.figure.axes[1]
    drawn_lines = [artist for artist in right.lines if len(artist.get_xdata()) == 4]
    # 50 cycles more for each key, 100 bytes of expanded key: nothing for 1 key, 1, 16 and 512 beyond
    for artist in drawn_lines:
        assert artist.get_xdata() == pytest.approx([100, 200, 3200, 102400])
        assert artist.get_ydata() == pytest.approx([0, 1, 16, 512])
    assert len(drawn_lines) == 2


def test_overview_has_a_point_for_every_measure_and_names_those_without_a_logarithm() -> None:
    curves = [*whole(), line(system("nothing"), 0, 0, (0,), "expandkey")]
    (picture,) = drawn("overview", material(*curves))
    (axes,) = picture.figure.axes
    assert axes.get_xscale() == "log"
    points = sorted(float(artist.get_xdata()[0]) for artist in axes.lines if artist.get_marker() not in ("None", ""))
    # encrypt and decrypt, reject, expandkey, and encrypt with the most keys, of both systems
    expected = [1828.0, 1828.0, 532.0, 250.0, 1828 + 51200, 2252.0, 2252.0, 1388.0, 250.0, 2252 + 51200]
    assert points == pytest.approx(sorted(expected))
    assert "Not shown, as fast as an empty call: nothing expandkey" in words(picture.figure)


def test_overview_has_a_panel_for_each_operation() -> None:
    hashes = replace(material(line(system("sha256"), 500, 8, measure="hash")), operation="crypto_hash")
    (picture,) = drawn("overview", material(*whole()), hashes)
    assert [axes.get_title(loc="left") for axes in picture.figure.axes] == ["crypto_aead", "crypto_hash"]


def test_overview_has_the_shortest_and_the_longest_length() -> None:
    mine = system("ed25519")
    signatures = [line(mine, 1000, 2, (0, 576, 96397), "sign"), line(mine, 300, 0, (0,), "keypair")]
    (picture,) = drawn("overview", replace(material(*signatures), operation="crypto_sign", ends=(0, 96397)))
    (axes,) = picture.figure.axes
    points = sorted(float(artist.get_xdata()[0]) for artist in axes.lines if artist.get_marker() not in ("None", ""))
    assert points == pytest.approx([300, 1000, 1000 + 2 * 96397])
    assert axes.get_title(loc="left") == "crypto_sign (small: 0 bytes, large: 96397 bytes)"


def test_machines_are_shown_side_by_side_with_the_same_rows() -> None:
    ((picture, _),) = usual("machines")
    left, right = picture.figure.axes
    assert [left.get_title(loc="left"), right.get_title(loc="left")] == ["box", "other"]
    assert left.get_ylim() == right.get_ylim()
    assert left.get_xlim() == right.get_xlim()


def test_one_machine_cannot_be_compared() -> None:
    with pytest.raises(NothingToDo, match="one machine"):
        drawn("machines", material(*whole()))


@pytest.mark.parametrize("kind", ["system", "sheet", "overlay"])
def test_measures_without_a_length_are_sent_to_the_overview(kind: str) -> None:
    with pytest.raises(NothingToDo, match="cyclometer plot overview"):
        drawn(kind, material(line(system("s"), 250, 0, (0,), "expandkey")))


@pytest.mark.parametrize("lengths", [SIX, EVERY], ids=["quick", "full"])
@pytest.mark.parametrize("kind", KINDS)
def test_disturbed_headlines_are_marked(kind: str, lengths: tuple[int, ...]) -> None:
    quiet = [*whole(lengths), *(whole(lengths, "other") if kind == "machines" else [])]
    noisy = material(*(replace(curve, disturbed=np.ones(len(curve.lengths), bool)) for curve in quiet))
    first = next(iter(plots.kind(kind).draw([noisy], PlotOptions())))
    assert "disturbed" not in usual(kind, lengths)[0][1]
    assert "disturbed" in words(first.figure)


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_names_are_shown_as_they_are(kind: str) -> None:
    name = "_$\\frac{<script>}$ %s {0}"
    one = [*whole()[:7], *whole(machine="o$t_h^er")[:7]]
    picture = drawn(kind, material(*(replace(curve, system=system(name, curve.system.machine)) for curve in one)))[0]
    assert name in words(picture.figure)
    picture.figure.savefig(io.BytesIO(), format="svg")


def placed(*names: str, lengths: tuple[int, ...] = SIX) -> PlotData:
    """Return the placement of systems whose code costs 1000 cycles to fetch and whose warm calls cost 3 a byte."""
    curves = []
    for name in names:
        for variable, situation, at, cycles in (
            (TIMING, "warm", range(1, 21), [1728.0] * 20),
            (TIMING, "code", range(1, 21), [2728.0] + [1728.0] * 19),
            (BETWEEN, "warm", (0, 8, 64, 1024), [1728.0, 1728.0, 2000.0, 2500.0]),
            (LENGTH, BEST, lengths, [3.0 * length for length in lengths]),
            (LENGTH, WORST, lengths, [3.0 * length + 50 for length in lengths]),
            (LENGTH, "code", lengths, [3.0 * length + 1000 for length in lengths]),
        ):
            curves.append(
                PlacedCurve(
                    system=system(name),
                    measure="encrypt",
                    variable=variable,
                    situation=situation,
                    length=576,
                    at=np.array(at),
                    cycles=np.array(cycles),
                )
            )
    return replace(material(line(system(names[0]), 0, 3)), placed=tuple(curves))


@pytest.mark.parametrize("kind", OF_PLACEMENT)
def test_plots_of_placement_name_system_machine_and_situations(kind: str) -> None:
    long = "an-exceedingly-long-name-of-a-system (implementation, compiler-O3)"
    pictures = drawn(kind, placed("steep", long))
    assert len(pictures) == (2 if kind == "situations" else 1)
    for picture in pictures:
        text = words(picture.figure).replace("\n", " ")
        assert "box: Example CPU; perf-rdpmc, core cycles" in text
        assert kind == "competition" or "code cold" in text
        assert "steep" in text or "exceedingly" in text
        width, height = picture.figure.bbox.size
        boxes = [each.get_window_extent() for each in picture.figure.texts]
        assert all(0 <= box.x0 < box.x1 <= width and 0 <= box.y0 < box.y1 <= height for box in boxes)


def test_the_sizes_of_other_code_are_named_below_the_axis() -> None:
    [picture] = drawn("competition", placed("steep"))
    picture.figure.draw_without_rendering()
    labels = [label.get_text() for label in picture.figure.axes[0].get_xticklabels()]
    assert labels == ["0", "8", "64", "1024"]


def test_many_lengths_with_something_cold_are_a_cloud_above_the_lines() -> None:
    [picture] = drawn("situations", placed("steep", lengths=EVERY))
    drawn_lines = [each for each in picture.figure.axes[0].lines if len(each.get_xdata()) == len(EVERY)]
    assert [each.get_linestyle() for each in drawn_lines].count("None") == 1  # points alone
    assert len(drawn_lines) == 3


@pytest.mark.parametrize("kind", OF_PLACEMENT)
def test_without_placement_the_command_that_measures_it_is_named(kind: str) -> None:
    with pytest.raises(NothingToDo, match="cyclometer run --"):
        drawn(kind, material(*whole()))


def test_lines_are_thinned_to_what_print_can_show_and_keep_their_course() -> None:
    trace = _axes.thinned(line(system("s"), 100, 3, EVERY), 8192, 600)
    assert len(trace.lengths) == 513  # sixteen lengths a point, and the last alone
    assert trace.cycles == pytest.approx(100 + 3 * trace.lengths)
    assert _axes.thinned(line(system("s"), 100, 3), 8192, 600).lengths.tolist() == list(SIX)


@pytest.mark.parametrize(("value", "nice"), [(1.9, 2.0), (2.0, 2.0), (2.01, 2.5), (0.31, 0.4), (8.5, 10.0), (61, 80)])
def test_diagonals_are_round(value: float, nice: float) -> None:
    assert _axes.nice_above(value) == pytest.approx(nice)


def test_styles_differ_from_each_other() -> None:
    found = _page.line_styles([f"s{number}" for number in range(26)]).values()
    assert len({(look.colour, look.dash) for look in found}) == 26
    assert len({(look.colour, look.marker) for look in found}) == 26


def test_a_file_has_the_format_of_its_name(tmp_path: Path) -> None:
    begins = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}
    for suffix, magic in begins.items():
        target = tmp_path / f"picture.{suffix}"
        (written,) = _page.save(iter([usual("sheet")[0][0]]), target)
        assert written == target
        assert target.read_bytes().startswith(magic)


def test_several_plots_are_several_files_or_pages(tmp_path: Path) -> None:
    pictures = [picture for picture, _ in usual("keys") + usual("sheet")]
    found = _page.save(iter(pictures), tmp_path / "s.svg")
    assert [path.name for path in found] == [f"s-{picture.name}.svg" for picture in pictures]
    (pages,) = _page.save(iter(pictures), tmp_path / "s.pdf")
    assert pages.read_bytes().count(b"/Type /Page ") == 2


def test_a_quarter_of_a_million_timings_stay_small(tmp_path: Path) -> None:
    lengths = np.repeat(np.arange(8193), 30).astype(np.int32)
    cycles = (100 + 3 * lengths + np.random.default_rng(2).exponential(200, len(lengths))).astype(np.float32)
    curve = line(system("s"), 100, 3, EVERY)
    many = Cloud(system=curve.system, measure="encrypt", lengths=lengths, cycles=cycles, first=lengths % 15 == 0)
    (written,) = _page.save(iter(drawn("system", replace(material(curve), clouds=(many,)))), tmp_path / "cloud.svg")
    assert written.stat().st_size < 2_000_000


@pytest.mark.parametrize(("name", "message"), [("x.gif", "unknown format 'gif'"), ("x", "has no suffix")])
def test_other_formats_are_refused(name: str, message: str) -> None:
    with pytest.raises(CyclometerError, match=message):
        plots.require_drawable(Path(name))


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(CyclometerError, match=r"cannot write .*missing"):
        _page.save(iter([usual("sheet")[0][0]]), tmp_path / "missing" / "x.svg")
