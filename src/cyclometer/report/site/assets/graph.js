// SPDX-License-Identifier: MIT OR Apache-2.0
// Graphs by uPlot: lines by length from the data files, in the colours of the style sheet.
"use strict";

(() => {
  const { load, unpackAll, digits } = window.cyclometer;
  const DASHES = [[], [8, 5], [2, 4], [9, 4, 2, 4]];
  const FEW = 64; // lengths; a line of fewer has a marker at each
  const MOST_DOTS = 400000; // timings drawn one by one; more are thinned evenly
  const drawn = new Map(); // element -> { chart, groups }

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const pixels = () => Number(devicePixelRatio) || 1;

  // A line connects its undisturbed lengths if they are the majority, else all.
  const connected = (line) => {
    const quiet = [...line.length.keys()].filter((index) => !line.disturbed[index]);
    return 2 * quiet.length > line.length.length ? quiet : [...line.length.keys()];
  };

  // Round numbers of a logarithmic axis: powers of ten, or of two for lengths.
  const spaced = (values) => values.map((value) => (value === null ? "" : value.toLocaleString("en").replaceAll(",", "\u202f")));

  // The nearest measured length of a line to the mouse, so that lines of other lengths show a value, too.
  const nearest = (chart, series, index) => {
    const values = chart.data[series];
    for (let away = 0; away < values.length; away += 1) {
      if (values[index - away] != null) return index - away;
      if (values[index + away] != null) return index + away;
    }
    return index;
  };

  // Options of one series: { label, x, y, stroke, dash, marked, alone, value }. `alone` has markers and no line.
  const options = (series) => ({
    label: series.label,
    stroke: series.stroke,
    width: series.width ?? 2,
    dash: DASHES[(series.dash ?? 0) % DASHES.length],
    spanGaps: true,
    show: series.show ?? true,
    paths: series.alone ? () => null : undefined,
    points: { show: Boolean(series.marked || series.alone), size: series.alone ? 5 : 7, fill: series.stroke, width: 0 },
    value: (chart, value, index, at) => (at === null || value == null ? "" : series.value?.(chart.data[0][at], value) ?? digits(value)),
  });

  const axis = (label, side) => ({
    label,
    stroke: colour("--ink"),
    grid: { stroke: colour("--grid"), width: 1 },
    ticks: { stroke: colour("--grid"), width: 1 },
    font: "12px system-ui, sans-serif",
    labelFont: "13px system-ui, sans-serif",
    ...(side === "left" ? { size: 72 } : {}),
    values: (chart, values) => spaced(values),
  });

  // Draw timings one by one over the lines: { x, y, first }.
  const dots = (chart) => {
    const { x, y, first } = chart.timings ?? {};
    if (!x) return;
    const { ctx } = chart;
    const { left, top, width, height } = chart.bbox;
    const step = Math.max(1, Math.ceil(x.length / MOST_DOTS));
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    for (const [wanted, ink, share] of [[0, "--ink", 0.25], [1, "--s7", 0.7]]) {
      ctx.fillStyle = colour(ink);
      ctx.globalAlpha = share;
      for (let index = 0; index < x.length; index += step) {
        if (first[index] !== wanted) continue;
        ctx.fillRect(chart.valToPos(x[index], "x", true), chart.valToPos(y[index], "y", true), 1.5 * pixels(), 1.5 * pixels());
      }
    }
    ctx.restore();
  };

  // Draw a chart in `target`: series as above; axes { x, y, logarithmic (true, or "y" for that axis alone) }, and `names` if x counts these. Returns uPlot's object.
  const chart = (target, series, axes) => {
    target.replaceChildren();
    const shown = axes.logarithmic ? series.map((each) => positive(each)) : series;
    const scale = axes.logarithmic ? { distr: 3 } : {};
    const highest = Math.max(...shown.flatMap((each) => (each.frames === false ? [] : each.y.reduce((a, b) => Math.max(a, b), 0))), 0);
    const made = new window.uPlot({
      width: Math.max(240, target.clientWidth),
      height: Math.max(240, Math.min(480, 0.7 * innerHeight)),
      scales: {
        x: { time: false, ...(axes.logarithmic === "y" ? {} : scale) },
        y: { ...scale, ...(axes.logarithmic ? {} : { range: (_, low, high) => [Math.min(0, low), axes.follows ? 1.06 * high : 1.06 * (axes.ceiling ?? highest)] }) },
      },
      axes: [{ ...axis(axes.x, "bottom"), ...(axes.names ? { splits: () => [...axes.names.keys()], values: (_, places) => places.map((place) => axes.names[place] ?? "") } : {}) }, axis(axes.y, "left")],
      series: [{ label: axes.x, value: (_, value) => (value == null ? "" : `${axes.unit}: ${axes.names?.[value] ?? spaced([value])[0]}`) }, ...shown.map(options)],
      cursor: { drag: { x: true, y: false }, dataIdx: (self, index, closest) => (index ? nearest(self, index, closest) : closest), points: { size: 8 } },
      legend: { live: true, markers: { dash: (self, index) => (self.series[index].dash?.length ? "dashed" : "solid") } },
      hooks: { draw: [dots] },
    }, window.uPlot.join(shown.map(({ x, y }) => [Float64Array.from(x), Float64Array.from(y)])), target);
    new ResizeObserver(() => made.setSize({ width: Math.max(240, target.clientWidth), height: made.height })).observe(target);
    target.dataset.drawn = "yes";
    return made;
  };
  const positive = (series) => {
    const kept = [...series.x.keys()].filter((index) => series.x[index] > 0 && series.y[index] > 0);
    return { ...series, x: kept.map((index) => series.x[index]), y: kept.map((index) => series.y[index]) };
  };

  const nameOf = (line) => (line.ad ? `${line.measure}, ${line.ad} bytes of associated data` : line.measure);

  // The series of a system's graph; `names` are its toggles, which give the lines their order and colours.
  const seriesOf = (lines, names, unit) => {
    const singular = unit.replace(/s$/, "");
    const told = (line, kept) => (length, cycles) => {
      const index = kept.find((each) => line.length[each] === length);
      const interval = index === undefined || Number.isNaN(line.low[index]) ? "" : `, 95 %: ${digits(line.low[index])} to ${digits(line.high[index])}`;
      return `${digits(cycles)}${length ? ` (${digits(cycles / length, true)} per ${singular})` : ""}${interval}`;
    };
    const pick = (line, kept) => ({ x: kept.map((index) => line.length[index]), y: kept.map((index) => line.cycles[index]) });
    const found = [];
    for (const line of lines.filter((each) => each.keys === 1 && each.length.length > 1)) {
      const index = names.indexOf(nameOf(line));
      const kept = connected(line);
      const there = new Set(kept);
      const rest = [...line.length.keys()].filter((each) => !there.has(each));
      const stroke = colour(`--s${index % 8}`);
      found.push({ order: index, group: nameOf(line), label: nameOf(line), stroke, marked: line.length.length < FEW, value: told(line, kept), ...pick(line, kept) });
      if (rest.length) found.push({ order: 1000 + index, group: "disturbed lengths", label: `${nameOf(line)}, disturbed`, stroke, alone: true, ...pick(line, rest) });
    }
    const keyed = lines.filter((each) => each.keys > 1 && each.length.length > 1).sort((a, b) => a.keys - b.keys);
    for (const [index, line] of keyed.entries()) {
      const all = [...line.length.keys()];
      found.push({ order: 500 + index, group: "many keys", label: `${line.measure}, ${line.keys} keys`, stroke: colour(`--s${3 + (index % 5)}`), width: 1.5, dash: 1, ...pick(line, all) });
    }
    return found.sort((a, b) => a.order - b.order);
  };

  // A line of constant cost a byte, the power of two nearest to that of the longest packets.
  const diagonal = (series, unit) => {
    const longest = series.filter(({ x }) => x.length > 1).sort((a, b) => b.x.at(-1) - a.x.at(-1))[0];
    const reach = longest?.x.at(-1);
    if (!reach) return [];
    const cost = 2 ** Math.round(Math.log2(Math.max(longest.y.at(-1) / reach, 2 ** -6)));
    return [{ label: `${cost} per ${unit.replace(/s$/, "")}`, x: [0, reach], y: [0, cost * reach], stroke: colour("--muted"), width: 1, dash: 2, frames: false, value: () => "" }];
  };

  const togglesOf = (target) => document.querySelector(`.toggles[data-for="${CSS.escape(target.dataset.graph)}"]`);

  const draw = async (target) => {
    const lines = await Promise.all((await load(target.dataset.graph)).map(unpackAll));
    const boxes = [...togglesOf(target).querySelectorAll("input")];
    const unit = target.dataset.lengths;
    const series = seriesOf(lines, boxes.map(({ value }) => value), unit);
    const on = (group) => boxes.find(({ value }) => value === group)?.checked ?? true;
    const all = [...series.map((each) => ({ ...each, show: on(each.group) })), ...diagonal(series, unit)];
    const axes = { x: target.dataset.axis, y: target.dataset.unit, unit, logarithmic: on("logarithmic axes") && boxes.some(({ value }) => value === "logarithmic axes") };
    const before = drawn.get(target)?.chart;
    const made = chart(target, all, axes);
    made.timings = before?.timings;
    before?.destroy();
    if (made.timings) made.redraw();
    drawn.set(target, { chart: made, groups: all.map(({ group }) => group) });
  };

  const everyTiming = async (target, machine, button) => {
    const index = JSON.parse(document.getElementById("raw-index").textContent)[machine];
    button.disabled = true;
    button.textContent = "Reading …";
    const [x, y, first] = [[], [], []];
    for (const { file } of index.runs) {
      const raw = await unpackAll(await load(file));
      let offset = 0;
      for (let row = 0; row < raw.counts.length; row += 1) {
        const timings = raw.timings.subarray(offset, offset + raw.counts[row]);
        offset += raw.counts[row];
        if (raw.keys[row] !== 1) continue;
        const middle = window.cyclometer.stabilised(timings) - raw.overhead[row];
        const scale = middle > 1 && raw.cycles[row] > 0 ? raw.cycles[row] / middle : 1;
        for (const [place, ticks] of timings.entries()) { x.push(raw.length[row]); y.push((ticks - raw.overhead[row]) * scale); first.push(place ? 0 : 1); }
      }
    }
    const { chart: made } = drawn.get(target);
    made.timings = { x, y, first };
    made.redraw();
    button.textContent = `${x.length.toLocaleString("en").replaceAll(",", "\u202f")} timings drawn`;
  };

  // StQ2: the mean of the middle quarter.
  window.cyclometer.stabilised = (timings) => {
    const sorted = Float64Array.from(timings).sort();
    const n = sorted.length;
    let sum = 0;
    for (let index = 0; index < n; index += 1) {
      sum += sorted[index] * Math.max(0, Math.min(8 * (index + 1), 5 * n) - Math.max(8 * index, 3 * n));
    }
    return sum / (2 * n);
  };
  // Draws graphs when they come near the window, and those in `drawn` again when the colour scheme changes.
  const drawWhenNear = (plots, draw, drawn) => {
    for (const plot of plots) plot.firstElementChild.textContent = "Drawing …";
    const watcher = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) { watcher.unobserve(target); draw(target); }
      }
    }, { rootMargin: "400px" });
    for (const plot of plots) watcher.observe(plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      for (const plot of plots) if (drawn.has(plot)) draw(plot);
    });
  };

  window.cyclometer.chart = chart;
  window.cyclometer.drawWhenNear = drawWhenNear;
  window.cyclometer.connected = connected;
  window.cyclometer.colour = colour;

  const plots = [...document.querySelectorAll(".plot[data-graph]")];
  const plotOf = (toggles) => plots.find((plot) => plot.dataset.graph === toggles.dataset.for);
  document.addEventListener("change", (event) => {
    const toggles = event.target.closest(".toggles");
    const entry = toggles && drawn.get(plotOf(toggles));
    if (!entry) return;
    if (event.target.value === "logarithmic axes") { draw(plotOf(toggles)); return; }
    for (const [index, group] of entry.groups.entries()) if (group === event.target.value) entry.chart.setSeries(index + 1, { show: event.target.checked });
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-every]");
    const plot = button && plotOf(button.closest(".toggles"));
    if (plot) everyTiming(plot, button.dataset.every, button);
  });

  drawWhenNear(plots, draw, drawn);
})();
