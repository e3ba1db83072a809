// SPDX-License-Identifier: MIT OR Apache-2.0
// Graphs by bokeh: colours from the style sheet, toggles, and more detail when zoomed in.
"use strict";

(() => {
  const { load, unpackAll } = window.cyclometer;
  const STRIPS = 512;
  const drawn = new Map(); // key -> bokeh's document

  // Documents name colours by purpose (palette.py); the style sheet defines them for light and dark.
  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    const known = { "01": of("--ink"), "02": of("--muted"), "03": of("--grid") };
    for (let index = 0; index < 8; index += 1) known[`1${index}`] = of(`--s${index}`);
    return known;
  };
  // Without hardware WebGL, the plain canvas is several times as fast.
  const inHardware = () => {
    const context = document.createElement("canvas").getContext("webgl", { failIfMajorPerformanceCaveat: true });
    const asked = context?.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL;
    const name = context?.getParameter(asked ?? context.RENDERER) ?? "software";
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  };
  const accelerated = inHardware();
  const coloured = (item) => {
    const known = colours();
    const text = JSON.stringify(item);
    return JSON.parse((accelerated ? text : text.replace('"output_backend":"webgl"', '"output_backend":"canvas"')).replace(/#f000([0-9a-f]{2})/g, (all, purpose) => known[purpose] ?? all));
  };

  // Reduce a line to at most three of its points per strip: lowest, middle, highest.
  const thin = (x, y, from, to, strips = STRIPS) => {
    let first = 0;
    let last = x.length;
    while (first + 1 < last && x[first + 1] < from) first += 1;
    while (last - 1 > first && x[last - 2] > to) last -= 1;
    const kept = [];
    const strip = Math.max(1, Math.ceil((last - first) / strips));
    if (strip <= 3) {
      for (let index = first; index < last; index += 1) kept.push(index);
      return kept;
    }
    for (let start = first; start < last; start += strip) {
      const end = Math.min(start + strip, last);
      const middle = new Float64Array(y.slice(start, end)).sort()[(end - start) >> 1];
      let [low, high, between] = [start, start, -1];
      for (let index = start; index < end; index += 1) {
        if (y[index] < y[low]) low = index;
        if (y[index] >= y[high]) high = index;
        if (between < 0 && y[index] === middle) between = index;
      }
      let previous = -1;
      for (let count = 0; count < 3; count += 1) {
        let next = Infinity;
        for (const index of [low, between, high]) if (index > previous && index < next) next = index;
        if (next === Infinity) break;
        kept.push(next);
        previous = next;
      }
    }
    return kept;
  };
  window.cyclometer.thin = thin;

  // A line connects its undisturbed lengths if they are the majority, else all.
  const undisturbed = (line) => {
    const kept = [...line.length.keys()].filter((index) => !line.disturbed[index]);
    if (2 * kept.length <= line.length.length) return line;
    const pick = (column) => kept.map((index) => column[index]);
    return { ...line, length: pick(line.length), cycles: pick(line.cycles), low: pick(line.low), high: pick(line.high) };
  };
  window.cyclometer.undisturbed = undisturbed;

  const renderers = (doc, name) => doc.roots()[0].renderers.filter((renderer) => renderer.name === name);

  // Replace the thinned line by the exact one for the lengths in view.
  const follow = async (doc, lines) => {
    const plot = doc.roots()[0];
    const exact = (await Promise.all((await load(lines)).filter((line) => line.keys === 1).map(unpackAll))).map(undisturbed);
    const refine = () => {
      for (const line of exact) {
        const name = line.ad ? `${line.measure}, ${line.ad} bytes of associated data` : line.measure;
        const source = renderers(doc, name)[0]?.data_source;
        if (!source) continue;
        const kept = thin(line.length, line.cycles, plot.x_range.start, plot.x_range.end);
        const pick = (column) => kept.map((index) => (Number.isNaN(column[index]) ? 0 : column[index]));
        const x = pick(line.length);
        const y = pick(line.cycles);
        source.data = { x, y, low: pick(line.low), high: pick(line.high), each: y.map((cycles, index) => (x[index] ? cycles / x[index] : 0)), label: x.map(() => name) };
      }
    };
    let due = 0;
    const later = () => { clearTimeout(due); due = setTimeout(refine, 150); };
    plot.x_range.properties.start.change.connect(later);
    plot.x_range.properties.end.change.connect(later);
  };

  const everyTiming = async (doc, machine, button) => {
    const index = JSON.parse(document.getElementById("raw-index").textContent)[machine];
    button.disabled = true;
    button.textContent = "Reading …";
    const x = [];
    const y = [];
    for (const { file } of index.runs) {
      const raw = await unpackAll(await load(file));
      let offset = 0;
      for (let row = 0; row < raw.counts.length; row += 1) {
        const timings = raw.timings.subarray(offset, offset + raw.counts[row]);
        offset += raw.counts[row];
        if (raw.keys[row] !== 1) continue;
        const middle = window.cyclometer.stabilised(timings) - raw.overhead[row];
        const scale = middle > 1 && raw.cycles[row] > 0 ? raw.cycles[row] / middle : 1;
        for (const ticks of timings) { x.push(raw.length[row]); y.push((ticks - raw.overhead[row]) * scale); }
      }
    }
    renderers(doc, "every timing")[0].data_source.data = { x, y };
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

  const draw = async (target) => {
    const key = target.dataset.graph;
    const item = coloured(await load(key));
    target.textContent = "";
    target.id ||= `graph-${key.replace(/[^a-z0-9]/gi, "-")}`;
    const doc = (await window.Bokeh.embed.embed_item(item, target.id)).roots[0].model.document;
    drawn.set(key, doc);
    // On touch screens, moving over a graph scrolls the page until a tool is selected.
    if (matchMedia("(pointer: coarse)").matches) {
      for (const tool of doc.roots()[0].toolbar.tools) if (tool.type === "PanTool") tool.active = false;
    }
    target.dataset.drawn = "yes";
    const toggles = document.querySelector(`.toggles[data-for="${CSS.escape(key)}"]`);
    for (const box of toggles?.querySelectorAll("input") ?? []) for (const renderer of renderers(doc, box.value)) renderer.visible = box.checked;
    if (target.dataset.lines) follow(doc, target.dataset.lines);
    return doc;
  };
  window.cyclometer.draw = draw;
  window.cyclometer.colours = colours;

  document.addEventListener("change", (event) => {
    const toggles = event.target.closest(".toggles");
    const doc = toggles && drawn.get(toggles.dataset.for);
    if (doc) for (const renderer of renderers(doc, event.target.value)) renderer.visible = event.target.checked;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-every]");
    const doc = button && drawn.get(button.closest(".toggles").dataset.for);
    if (doc) everyTiming(doc, button.dataset.every, button);
  });

  // Graphs are drawn when they come near the window, and again when the colour scheme changes.
  const plots = [...document.querySelectorAll(".plot[data-graph]")].filter((plot) => plot.id !== "comparison");
  for (const plot of plots) plot.firstElementChild.textContent = "Drawing …";
  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) { watcher.unobserve(target); draw(target); }
    }
  }, { rootMargin: "400px" });
  for (const plot of plots) watcher.observe(plot);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const plot of plots) if (drawn.has(plot.dataset.graph)) draw(plot);
  });
})();
