// SPDX-License-Identifier: MIT OR Apache-2.0
// The front of security and cost as a picture: a mark for each system, its area the code's bytes.
"use strict";
window.cyclometer = window.cyclometer || {};

(() => {
  const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [900, 420, 70, 150, 16, 46];
  const svg = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const ticksOf = (low, high) => {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) for (const digit of [1, 2, 5]) found.push(digit * 10 ** power);
    const inside = found.filter((tick) => tick >= low && tick <= high);
    return inside.length > 1 ? inside : [low, high];
  };

  // The picture of ranked entries; those that nobody dominates are named and joined by steps.
  window.cyclometer.front = (entries, unit) => {
    const shown = entries.filter(({ bits, cost }) => bits !== null && cost.value > 0);
    const bits = [...new Set(shown.map((entry) => entry.bits))].sort((a, b) => a - b);
    const [low, high] = [Math.min(...shown.map(({ cost }) => cost.value)) / 1.15, Math.max(...shown.map(({ cost }) => cost.value)) * 1.15];
    const x = (value) => LEFT + ((value - bits[0] + 8) / (bits.at(-1) - bits[0] + 16)) * (WIDTH - LEFT - RIGHT);
    const y = (value) => TOP + (1 - Math.log(value / low) / Math.log(high / low)) * (HEIGHT - TOP - BOTTOM);
    const largest = Math.max(1, ...shown.map(({ sizes }) => window.cyclometer.codeBytes(sizes) ?? 0));
    const radius = ({ sizes }) => 3 + 13 * Math.sqrt((window.cyclometer.codeBytes(sizes) ?? 0) / largest);
    const text = (content, attributes) => svg("text", { class: "tick", ...attributes }, content);
    let last = -Infinity;
    const labels = bits.filter((each) => (x(each) - last >= 34 ? ((last = x(each)), true) : false));
    const axes = [
      ...ticksOf(low, high).flatMap((tick) => [svg("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }), text(tick >= 10 ? tick.toFixed(0) : tick.toPrecision(2), { x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end" })]),
      ...labels.map((each) => text(String(each), { x: x(each), y: HEIGHT - BOTTOM + 20, "text-anchor": "middle" })),
      text("bits left", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }),
      text(`${unit} a packet`, { x: 14, y: (TOP + HEIGHT - BOTTOM) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(TOP + HEIGHT - BOTTOM) / 2})` }),
    ];
    const marks = shown.map((entry) => svg("circle", { class: entry.dominatedBy ? "dominated" : "leading", cx: x(entry.bits), cy: y(entry.cost.value), r: radius(entry) },
      svg("title", {}, `${entry.name}: ${window.cyclometer.digits(entry.cost.value)} ${unit}, ${entry.bits} bits, ${window.cyclometer.codeBytes(entry.sizes) ?? "?"} code bytes${entry.dominatedBy ? `; dominated by ${entry.dominatedBy}` : ""}`)));
    const front = shown.filter(({ dominatedBy }) => !dominatedBy).sort((a, b) => y(a.cost.value) - y(b.cost.value));
    let under = -Infinity;
    const names = front.map((entry) => {
      under = Math.max(y(entry.cost.value) + 4, under + 14);
      return text(entry.name, { class: "name", x: x(entry.bits) + radius(entry) + 5, y: under });
    });
    return svg("svg", { class: "front", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Cost over bits left; the table above has the numbers" }, ...axes, ...marks, ...names);
  };
})();
