// SPDX-License-Identifier: MIT OR Apache-2.0
// Data files: scripts in data/ that deliver one value each, because a page opened from a file may not fetch.
"use strict";
window.cyclometer = window.cyclometer || {};

(() => {
  const root = document.currentScript.dataset.root;
  const waiting = new Map();
  const arrived = new Map();
  const kinds = { f4: Float32Array, i4: Int32Array, i2: Int16Array, u1: Uint8Array };

  window.cyclometer.deliver = (key, value) => waiting.get(key)?.(value);

  // The value of data/<key>.js; the file is read once.
  window.cyclometer.load = (key) => {
    if (!arrived.has(key)) {
      arrived.set(key, new Promise((resolve, reject) => {
        waiting.set(key, resolve);
        const script = document.createElement("script");
        script.src = `${root}data/${key.split("/").map(encodeURIComponent).join("/")}.js`;
        script.onerror = () => reject(new Error(`cannot read ${script.src}`));
        document.head.append(script);
      }));
    }
    return arrived.get(key);
  };

  // A packed array: a list, or base64 of gzip of little-endian numbers.
  window.cyclometer.unpack = async ({ kind, list, gzip }) => {
    if (list) return kinds[kind].from(list, (number) => number ?? NaN);
    const bytes = Uint8Array.from(atob(gzip), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new kinds[kind](await new Response(stream).arrayBuffer());
  };

  // An object with all its packed arrays unpacked.
  window.cyclometer.unpackAll = async (packed) => {
    const pairs = Object.entries(packed).map(async ([name, value]) => [name, value?.kind === undefined ? value : await window.cyclometer.unpack(value)]);
    return Object.fromEntries(await Promise.all(pairs));
  };

  // Numbers as in the tables of the command line (records/digits.py): at most one decimal below 100, two per byte, and
  // no digit beyond the first one of the error.
  window.cyclometer.digits = (value, perByte = false, error = NaN) => {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const place = (number) => -Math.floor(Math.log10(Math.abs(number)));
    const most = perByte ? 2 : Math.abs(value) < 99.95 ? 1 : 0;
    const decimals = error > 0 ? Math.min(most, Math.max(place(error), place(value))) : most;
    const step = 10 ** -decimals;
    const text = decimals < 0 ? (Math.round(value / step) * step).toFixed(0) : value.toFixed(decimals);
    return text.replace("-", "\u2212");
  };

  // What the marks of trust mean, in short; as in report/text.py.
  window.cyclometer.MEANINGS = { "~": "disturbed, an upper bound", "?": "varies, or its tuning is unclear" };

  // How far to trust a number, before it; the same marks and words as in the tables of the templates.
  window.cyclometer.marks = ({ disturbed, varies, unclear }) => {
    const mark = (sign, title) => window.cyclometer.element("abbr", { title }, sign);
    const found = disturbed ? [mark("~", "disturbed: none of its samples is undisturbed; an upper bound")] : [];
    if (unclear) found.push(mark("?", "unclear: disturbed timings chose its tuning, so another may be faster"));
    else if (varies) found.push(mark("?", "varies: the 95 % interval reaches more than 3 % from the number, or fewer than 3 undisturbed rounds measured it"));
    return found;
  };

  // The measured lengths (ascending) that make up another one on a straight line, as pairs of an index and its share:
  // as in analyse/estimate/interpolation.py. Nothing outside of them.
  window.cyclometer.shares = (lengths, length) => {
    let [upper, beyond] = [0, lengths.length];
    while (upper < beyond) {
      const middle = (upper + beyond) >> 1;
      if (lengths[middle] < length) upper = middle + 1;
      else beyond = middle;
    }
    if (lengths[upper] === length) return [[upper, 1]];
    if (upper === 0 || upper === lengths.length) return [];
    const part = (length - lengths[upper - 1]) / (lengths[upper] - lengths[upper - 1]);
    return [[upper - 1, 1 - part], [upper, part]];
  };

  // A tie, as in analyse/estimate/ranking.py: a difference within the A/A spread, or overlapping intervals. An interval
  // that was not measured is NaN to NaN; a spread is {quiet, every}, or nothing.
  window.cyclometer.noDifference = (a, b, spread) => {
    if (a.cycles === b.cycles) return true;
    const least = spread ? (a.disturbed || b.disturbed ? spread.every : spread.quiet) : null;
    if (least !== null && Math.min(a.cycles, b.cycles) > 0 && Math.abs(Math.log(a.cycles / b.cycles)) <= Math.log1p(least)) return true;
    return a.low <= b.high && b.low <= a.high;
  };

  // Bytes of code from the sizes of a tuning: what can be reached, or else what its objects have.
  window.cyclometer.codeBytes = (sizes) => sizes.reachable_bytes ?? sizes.code_bytes;

  // An element with children; strings become text, never markup.
  window.cyclometer.element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };

  // A table like those of the templates: columns are [label, class], rows are arrays of cells or of elements.
  window.cyclometer.table = (title, columns, rows, caption = []) => {
    const { element } = window.cyclometer;
    const heads = columns.map(([label, kind]) => element("th", { scope: "col", class: kind, "aria-sort": "none" }, element("button", { type: "button" }, label)));
    const cells = (row) => row.map((cell, index) => cell instanceof HTMLTableCellElement ? cell : element(columns[index][1] === "name" ? "th" : "td", { class: columns[index][1], scope: columns[index][1] === "name" ? "row" : null }, cell));
    const table = element("table", { class: "sortable" },
      element("caption", {}, ...caption.map((line) => element("span", {}, line))),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))));
    const figure = element("figure", { class: "table" },
      element("figcaption", {}, element("h3", {}, title), element("button", { type: "button", class: "copy" }, "Copy")),
      element("div", { class: "scroll", role: "region", "aria-label": title, tabindex: "0" }, table));
    return figure;
  };
})();
