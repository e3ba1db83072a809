// SPDX-License-Identifier: MIT OR Apache-2.0
// Graphs of placement: how a call settles, other code between calls, every situation by length.
"use strict";

(() => {
  const { load, unpackAll, chart, colour, digits, drawWhenNear } = window.cyclometer;
  const FEW = 64; // points; a cold line of more is drawn as points alone
  const drawn = new Map();

  const named = (situation) => ({ tlb: "TLB cold", all: "all cold" }[situation] ?? (/^(warm|best|worst)/.test(situation) ? situation : `${situation} cold`));

  const seriesOf = (line, step) => ({
    label: step ? line.measure : named(line.situation),
    x: step ? [...line.at.keys()] : line.at,
    y: line.cycles,
    stroke: colour(line.situation === "all" ? "--ink" : `--s${line.colour % 8}`),
    dash: line.colour < 8 || line.situation === "all" ? 0 : 1,
    marked: line.at.length < FEW,
    alone: line.at.length > FEW && !/^(warm|best|worst)/.test(line.situation),
    value: (_, cycles) => digits(cycles),
  });

  const draw = async (target) => {
    const { key, variable, measure, axis, unit } = target.dataset;
    const lines = (await Promise.all((await load(key)).map(unpackAll))).filter((line) => line.variable === variable && line.measure === measure);
    const step = variable === "between"; // sizes stand one after another, as powers of two and a zero
    const names = step ? [...lines[0].at].map(String) : null;
    drawn.get(target)?.destroy();
    drawn.set(target, chart(target, lines.map((line) => seriesOf(line, step)), { x: axis, y: unit, unit: axis, names, logarithmic: variable === "timing" && "y" }));
  };

  drawWhenNear([...document.querySelectorAll(".plot[data-key]")], draw, drawn);
})();
