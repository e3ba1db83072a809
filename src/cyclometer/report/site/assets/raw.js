// SPDX-License-Identifier: MIT OR Apache-2.0
// The raw samples behind one number: #raw/machine=.../measure=encrypt/length=402/keys=1
"use strict";

(() => {
  const { load, unpackAll, element, table, digits } = window.cyclometer;
  const section = document.getElementById("raw");
  if (!section) return;
  const index = JSON.parse(document.getElementById("raw-index").textContent);
  const NUMBERS = ["length", "keys", "ad_length", "alignment"];
  const NAMES = ["measure", "implementation", "compiler"];

  const wanted = () => {
    const [kind, ...parts] = location.hash.slice(1).split("/");
    if (kind !== "raw") return null;
    return Object.fromEntries(parts.map((part) => part.split("=").map(decodeURIComponent)));
  };

  const rowsOf = (raw, wish, run) => {
    const code = Object.fromEntries(NAMES.map((name) => [name, raw.names[name].indexOf(wish[name])]));
    const found = [];
    let offset = 0;
    for (let row = 0; row < raw.counts.length; row += 1) {
      const start = offset;
      offset += raw.counts[row];
      const fits = NAMES.every((name) => wish[name] === undefined || raw[name][row] === code[name])
        && NUMBERS.every((name) => wish[name] === undefined || raw[name][row] === Number(wish[name]));
      if (fits) found.push({ run, row, raw, timings: raw.timings.subarray(start, offset) });
    }
    return found;
  };

  const state = ({ raw, row }) => {
    const words = [raw.disturbed[row] ? "disturbed" : "undisturbed"];
    if (raw.context_switches[row]) words.push(`${raw.context_switches[row]} context switches`);
    if (raw.retakes[row]) words.push(`taken ${raw.retakes[row] + 1} times`);
    return words.join(", ");
  };

  const quote = (word) => (/^[A-Za-z0-9_.,:=/@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const literal = (word) => `'${String(word).replaceAll("'", "''")}'`;

  const query = (wish, system) => {
    const conditions = [`primitive = ${literal(system)}`, "NOT control"];
    for (const name of NAMES) if (wish[name]) conditions.push(`${name} = ${literal(wish[name])}`);
    for (const name of NUMBERS) if (wish[name] !== undefined) conditions.push(`${name} = ${Number(wish[name])}`);
    return `SELECT round, series FROM 'samples.parquet' WHERE ${conditions.join(" AND ")} ORDER BY round`;
  };

  const show = async () => {
    const wish = wanted();
    const machine = wish && index[wish.machine];
    section.hidden = !machine;
    if (!machine) return;
    const target = document.getElementById("raw-samples");
    target.replaceChildren(element("p", { class: "muted" }, "Reading …"));
    document.getElementById("raw-title").focus({ preventScroll: true });
    section.scrollIntoView();
    const found = [];
    for (const run of machine.runs) found.push(...rowsOf(await unpackAll(await load(run.file)), wish, run));
    const what = [wish.measure, ...NUMBERS.filter((name) => wish[name] !== undefined).map((name) => `${name.replace("_", " ")} ${wish[name]}`), `on ${wish.machine}`].join(", ");
    if (!found.length) {
      target.replaceChildren(element("p", { class: "empty" }, `No samples of ${what}.`));
      return;
    }
    const { counter, counted } = found[0].run;
    const rows = found.map((each) => [each.run.run, String(each.raw.round[each.row]), state(each), digits(each.raw.overhead[each.row]), digits(each.raw.cycles[each.row]), [...each.timings].join(" ")]);
    const columns = [["run", "name"], ["round", "number"], ["state", "text"], ["overhead", "number"], [machine.unit, "number"], [`timings in the order taken (${counted})`, "text wide"]];
    const note = `Counter ${counter}: ${counted}, overhead included. The column before the last is the headline of the row.`;
    target.replaceChildren(
      table(what, columns, rows, [note]),
      element("p", {}, "Measure it again:"),
      element("pre", {}, element("code", {}, found.at(-1).run.repeat.map(quote).join(" "))),
      element("p", {}, "Read it from the run's Parquet file with DuckDB:"),
      element("pre", {}, element("code", {}, query(wish, section.dataset.system))),
    );
  };

  addEventListener("hashchange", show);
  show();
})();
