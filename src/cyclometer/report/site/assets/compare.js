// SPDX-License-Identifier: MIT OR Apache-2.0
// The comparison page: the URL fragment holds the choice, and the page shows it.
"use strict";

(async () => {
  const { load, unpackAll, element, table, digits, marks, MEANINGS, noDifference, shares, chart, connected, colour } = window.cyclometer;
  const form = document.getElementById("choice");
  if (!form) return;
  const { operations } = await load("catalogue");
  const COLOURS = 8;
  const DASHES = 4;

  // ---- The choice, to and from the URL fragment ----

  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    const words = (name) => given.get(name)?.split(",").map(decodeURIComponent).filter(Boolean);
    const numbers = (name) => words(name)?.map(Number).filter((number) => Number.isFinite(number) && number >= 0);
    const operation = operations.find(({ name }) => name === given.get("operation")) ?? operations[0];
    const names = operation.systems.map(({ name }) => name);
    const machines = operation.machines.map(({ name }) => name);
    const oneOf = (value, known) => (known.includes(value) ? value : known[0]);
    const [length = 402, keys = 1, forged = 0] = numbers("load") ?? [];
    return {
      operation,
      systems: words("systems")?.filter((name) => names.includes(name)) ?? operation.usual.filter((name) => names.includes(name)),
      machines: words("machines")?.filter((name) => machines.includes(name)) ?? machines.slice(0, 1),
      measure: oneOf(given.get("measure"), operation.measures),
      keys: oneOf(Number(given.get("keys")), operation.keys),
      unit: oneOf(given.get("unit"), ["cycles", "byte", "first"]),
      axes: oneOf(given.get("axes"), ["linear", "logarithmic"]),
      lengths: numbers("lengths") ?? operation.lengths,
      load: { length, keys: Math.max(1, keys), forged: Math.min(100, forged) },
    };
  };

  const address = (choice) => {
    const list = (values) => values.map((value) => encodeURIComponent(value)).join(",");
    const { length, keys, forged } = choice.load;
    const parts = { operation: choice.operation.name, systems: list(choice.systems), machines: list(choice.machines), measure: choice.measure, keys: choice.keys, unit: choice.unit, axes: choice.axes, lengths: list(choice.lengths), load: list([length, keys, forged]) };
    return new URLSearchParams(parts).toString().replaceAll("%2C", ",");
  };

  // ---- The form ----

  const checked = (id) => [...document.querySelectorAll(`#${id} input:checked`)].map((box) => box.value);
  const field = (name) => form.elements[name];
  const numbersIn = (text) => text.split(/[\s,;]+/).filter(Boolean).map(Number).filter((number) => Number.isFinite(number) && number >= 0);

  const chosen = () => {
    const before = read();
    const operation = operations.find(({ name }) => name === field("operation").value) ?? operations[0];
    if (operation !== before.operation) return { ...before, operation, systems: operation.usual, machines: operation.machines.slice(0, 1).map(({ name }) => name), measure: operation.measures[0], keys: operation.keys[0], lengths: operation.lengths };
    const [length = 0] = numbersIn(field("load-length").value);
    const [keys = 1] = numbersIn(field("load-keys").value);
    const [forged = 0] = numbersIn(field("load-forged").value);
    // Systems stay in the order in which they were selected: ratios refer to the first.
    const now = checked("systems");
    const systems = [...before.systems.filter((name) => now.includes(name)), ...now.filter((name) => !before.systems.includes(name))];
    return { operation, systems, machines: checked("machines"), measure: field("measure").value, keys: Number(field("keys").value), unit: field("unit").value, axes: field("axes").value, lengths: numbersIn(field("lengths").value), load: { length, keys: Math.max(1, keys), forged: Math.min(100, forged) } };
  };

  const box = (id, name, on, ...more) => element("label", {}, element("input", { type: "checkbox", value: name, name: id, checked: on }), ...more, element("span", {}, name));
  const options = (select, values, value) => {
    select.replaceChildren(...values.map((each) => element("option", { value: String(each) }, String(each))));
    select.value = String(value);
  };

  let shown = null; // the operation whose systems and machines the form lists
  const fill = (choice) => {
    const { operation } = choice;
    document.getElementById("operations").hidden = operations.length < 2;
    if (shown !== operation) {
      shown = operation;
      options(field("operation"), operations.map(({ name }) => name), operation.name);
      document.getElementById("systems").replaceChildren(...operation.systems.map(({ name }) => box("system", name, false, element("span", { class: "swatch", "aria-hidden": "true" }))));
      document.getElementById("machines").replaceChildren(...operation.machines.map(({ name }) => box("machine", name, false)));
      options(field("measure"), operation.measures, choice.measure);
      options(field("keys"), operation.keys, choice.keys);
    }
    const { measures, plain, keys } = operation;
    for (const name of ["measure", "keys"]) field(name).closest("label").hidden = { measure: measures, keys }[name].length < 2;
    for (const part of document.querySelectorAll(".by-length")) part.hidden = !measures.length;
    document.getElementById("without-length").hidden = !plain.length;
    document.getElementById("work-load").hidden = keys.length < 2 || !["encrypt", "decrypt"].every((name) => measures.includes(name));
    for (const each of document.querySelectorAll("#systems input")) {
      each.checked = choice.systems.includes(each.value);
      each.parentElement.querySelector(".swatch").className = `swatch ${each.checked ? ink(choice, each.value) : ""}`;
    }
    for (const each of document.querySelectorAll("#machines input")) each.checked = choice.machines.includes(each.value);
    field("measure").value = choice.measure ?? "";
    field("keys").value = String(choice.keys);
    field("unit").value = choice.unit;
    field("axes").value = choice.axes;
    field("unit").querySelector("[value=byte]").textContent = `cycles per ${one(operation)}`;
    for (const each of document.querySelectorAll("[data-length-unit]")) each.textContent = operation.length_unit;
    const put = (name, text) => { if (document.activeElement !== field(name)) field(name).value = text; };
    put("lengths", choice.lengths.join(", "));
    put("load-length", String(choice.load.length));
    put("load-keys", String(choice.load.keys));
    put("load-forged", String(choice.load.forged));
  };

  // Colours go by the order of the choice, so that no two of up to eight systems share one; dashes tell further ones apart.
  const place = (choice, name) => choice.systems.indexOf(name);
  const dashOf = (choice, name) => Math.floor(place(choice, name) / COLOURS) % DASHES;
  const ink = (choice, name) => `s${place(choice, name) % COLOURS} d${dashOf(choice, name)}`;
  const systemIndex = (choice, name) => choice.operation.systems.findIndex((system) => system.name === name);

  // ---- The numbers ----

  // [{system, machine, lines}] of everything that is selected and measured.
  const picked = async (choice) => {
    const pairs = choice.machines.flatMap((machine) => choice.systems.map((system) => ({ system, machine: choice.operation.machines.find(({ name }) => name === machine) })));
    const there = pairs.filter(({ system, machine }) => machine.lines[system]);
    return Promise.all(there.map(async (pair) => ({ ...pair, lines: await Promise.all((await load(pair.machine.lines[pair.system])).map(unpackAll)) })));
  };

  const lineOf = (entry, measure, keys) => entry.lines.find((line) => line.measure === measure && line.keys === keys);
  const nameOf = (entry, choice) => (choice.machines.length > 1 ? `${entry.system} on ${entry.machine.name}` : entry.system);

  // The number at a length, interpolated between measured lengths; null outside of them.
  const at = (line, length) => {
    if (!line) return null;
    const parts = shares(line.length, length);
    const value = (index) => ({ cycles: line.cycles[index], low: line.low[index], high: line.high[index], disturbed: Boolean(line.disturbed[index]), varies: Boolean(line.varies[index]), exact: true });
    if (parts.length < 2) return parts.length ? value(parts[0][0]) : null;
    return blend(value(parts[0][0]), value(parts[1][0]), parts[1][1]);
  };
  const blend = (a, b, share) => {
    const between = (name) => a[name] + share * (b[name] - a[name]);
    return { cycles: between("cycles"), low: between("low"), high: between("high"), disturbed: a.disturbed || b.disturbed, varies: a.varies || b.varies, exact: share === 0 && a.exact };
  };
  const combine = (parts) => {
    const sum = (name, other) => parts.reduce((total, [weight, figure]) => total + weight * figure[weight < 0 ? other : name], 0);
    return { cycles: sum("cycles", "cycles"), low: sum("low", "high"), high: sum("high", "low"), disturbed: parts.some(([, figure]) => figure.disturbed), varies: parts.some(([, figure]) => figure.varies), exact: parts.every(([, figure]) => figure.exact) };
  };

  const ranked = (entries, spread) => {
    const order = [...entries].sort((a, b) => a.figure.cycles - b.figure.cycles);
    const groups = [];
    for (const entry of order) {
      const group = groups.at(-1);
      if (group && noDifference(group[0].figure, entry.figure, spread)) group.push(entry);
      else groups.push([entry]);
    }
    let rank = 1;
    for (const group of groups) {
      for (const entry of group) Object.assign(entry, { rank, shared: group.length > 1, tied: rank === 1 && entry !== group[0] });
      rank += group.length;
    }
    return order;
  };

  // ---- The graph ----

  const pictureLines = (choice, entries) => entries.map((entry) => {
    const whole = lineOf(entry, choice.measure, choice.keys);
    if (!whole) return null;
    const line = whole;
    const kept = connected(line);
    const base = choice.unit === "first" ? lineOf(entries[0], choice.measure, choice.keys) : null;
    const x = [];
    const y = [];
    for (const index of kept) {
      const length = line.length[index];
      const divisor = choice.unit === "byte" ? length : base ? at(base, length)?.cycles : 1;
      if (divisor) { x.push(length); y.push(line.cycles[index] / divisor); }
    }
    return { entry, x, y };
  }).filter((line) => line?.x.length);

  let lines = [];
  let graph = null;
  const paint = (choice) => {
    const there = lines.some(({ x }) => x.length > 1);
    document.getElementById("picture").hidden = !there;
    graph?.destroy();
    graph = null;
    if (!there) return;
    // Cycles per byte of the shortest packets would flatten all others.
    const from = choice.unit === "byte" ? Math.max(...lines.map(({ x }) => x.find((length) => length >= Math.min(64, x.at(-1))))) : 0;
    const ceiling = Math.max(...lines.map(({ x, y }) => y.reduce((most, value, index) => (x[index] >= from ? Math.max(most, value) : most), 0)));
    const unit = unitOf(choice);
    const series = lines.map(({ entry, x, y }) => ({
      label: nameOf(entry, choice),
      x,
      y,
      stroke: colour(`--s${place(choice, entry.system) % COLOURS}`),
      dash: dashOf(choice, entry.system) + choice.machines.indexOf(entry.machine.name),
      marked: x.length < 64,
      value: (length, value) => digits(value, choice.unit !== "cycles"),
    }));
    graph = chart(document.getElementById("comparison"), series, { x: choice.operation.length_label, y: unit, unit: choice.operation.length_unit, ceiling, logarithmic: choice.axes === "logarithmic" });
    document.getElementById("graph-title").textContent = titleOf(choice, unit);
  };
  const one = (operation) => operation.length_unit.replace(/s$/, "");
  const unitOf = (choice) => ({ cycles: choice.operation.machines[0].unit, byte: `${choice.operation.machines[0].unit} per ${one(choice.operation)}`, first: `times ${choice.systems[0]}` })[choice.unit];
  const titleOf = (choice, unit) => `${choice.operation.titles[choice.measure].replace("{unit}", `${unit[0].toUpperCase()}${unit.slice(1)}`)}${choice.keys > 1 ? `, ${choice.keys} active keys` : ""}`;

  // ---- The tables ----

  const systemCell = (choice, entry) => {
    const home = choice.operation.systems[systemIndex(choice, entry.system)];
    const swatch = element("span", { class: `swatch ${ink(choice, entry.system)}`, "aria-hidden": "true" });
    return element("th", { class: "name", scope: "row" }, swatch, " ", element("a", { href: home.page }, entry.system), choice.machines.length > 1 ? ` on ${entry.machine.name}` : null);
  };

  // What a number may be off by: half of its interval, or the A/A spread if that is more.
  const errorOf = (figure) => Math.max(Number.isNaN(figure.low) ? 0 : (figure.high - figure.low) / 2, figure.noise ?? 0);

  const numberCell = (figure, unit, length, base, placed) => {
    if (!figure) return element("td", { class: "number", "data-value": "" }, element("span", { class: "missing", title: "not measured" }, "–"));
    const divisor = unit === "byte" ? length : unit === "first" ? base?.cycles : 1;
    const value = divisor ? figure.cycles / divisor : NaN;
    const cell = element("td", { class: `number${placed?.rank === 1 ? " best" : ""}${placed?.tied ? " tied" : ""}`, "data-value": Number.isFinite(value) ? String(value) : "" });
    const interval = Number.isNaN(figure.low) ? "a single round" : `95 %: ${digits(figure.low)} to ${digits(figure.high)}`;
    const error = errorOf(figure);
    const nothing = figure.difference && Math.abs(figure.cycles) <= error;
    cell.append(...marks(nothing ? { disturbed: figure.disturbed } : figure));
    if (!figure.exact) cell.append(element("abbr", { title: "interpolated between measured numbers" }, "≈"));
    const text = nothing ? `<${digits(error, false, error)}` : digits(value, unit !== "cycles", error / (divisor || 1));
    cell.append(element("span", { title: nothing ? "nothing measurable: the difference is within its error" : interval }, text));
    if (placed?.tied) cell.append(element("abbr", { class: "tie", title: "tie: no significant difference from the fastest in the column" }, "="));
    return cell;
  };

  const NOTES = [`=  tie with the fastest in the column; ~  ${MEANINGS["~"]}; ?  ${MEANINGS["?"]}; ≈  interpolated between measured numbers; <  nothing measurable: within this error`];

  // The ranks in each column, per machine; `figures` has one row per entry.
  const placesOf = (choice, entries, figures, measures) => measures.map((measure, column) => {
    const found = new Map();
    for (const machine of choice.machines) {
      const its = entries.filter((entry) => entry.machine.name === machine && figures.get(entry)[column]).map((entry) => ({ entry, figure: figures.get(entry)[column] }));
      for (const each of ranked(its, its[0]?.entry.machine.spreads[measure])) found.set(each.entry, each);
    }
    return found;
  });

  const plainTable = (choice, entries) => {
    const { plain } = choice.operation;
    const figures = new Map(entries.map((entry) => [entry, plain.map((measure) => { const line = lineOf(entry, measure, 1); return line ? at(line, line.length[0]) : null; })]));
    const places = placesOf(choice, entries, figures, plain);
    const rows = entries.map((entry) => [systemCell(choice, entry), ...plain.map((_, column) => numberCell(figures.get(entry)[column], "cycles", 0, null, places[column].get(entry))), entry.machine.tunings[entry.system]]);
    const unit = choice.operation.machines[0].unit;
    return table(`${unit[0].toUpperCase()}${unit.slice(1)}`, [["system", "name"], ...plain.map((measure) => [measure, "number"]), ["tuning", "text"]], rows, NOTES);
  };

  const lengthTable = (choice, entries) => {
    const figures = new Map(entries.map((entry) => [entry, choice.lengths.map((length) => at(lineOf(entry, choice.measure, choice.keys), length))]));
    const places = placesOf(choice, entries, figures, choice.lengths.map(() => choice.measure));
    const rows = entries.map((entry) => [
      systemCell(choice, entry),
      ...choice.lengths.map((length, column) => numberCell(figures.get(entry)[column], choice.unit, length, figures.get(entries[0])[column], places[column].get(entry))),
      entry.machine.tunings[entry.system],
    ]);
    const columns = [["system", "name"], ...choice.lengths.map((length) => [String(length), "number"]), ["tuning", "text"]];
    return table(titleOf(choice, unitOf(choice)), columns, rows, NOTES);
  };

  // The extra cycles of encrypt under many keys at a length, interpolated between measured numbers of keys.
  const underKeys = (entry, length, keys) => {
    const measured = [...new Set(entry.lines.filter((line) => line.measure === "encrypt").map((line) => line.keys))].sort((a, b) => a - b);
    // Many keys are measured for short packets, or at one length only: use the nearest length measured.
    const extra = (many) => {
      if (many === 1) return { figure: { cycles: 0, low: 0, high: 0, disturbed: false, exact: true } };
      const line = lineOf(entry, "encrypt", many);
      const reach = line.length.at(-1);
      const where = Math.min(Math.max(length, line.length[0]), reach);
      const [most, one] = [at(line, where), at(lineOf(entry, "encrypt", 1), where)];
      const noise = one ? (entry.machine.spreads.encrypt?.quiet ?? 0) * one.cycles : 0;
      return most && one ? { figure: { ...combine([[1, most], [-1, one]]), difference: true, noise, exact: most.exact && one.exact && where === length }, where } : null;
    };
    const above = measured.find((each) => each >= keys);
    if (above === undefined) return null;
    if (above === keys) return extra(keys);
    const below = measured.filter((each) => each < keys).at(-1) ?? 1;
    const [a, b] = [extra(below), extra(above)];
    if (!a || !b) return null;
    const share = Math.log(keys / below) / Math.log(above / below);
    const noise = Math.max(a.figure.noise ?? 0, b.figure.noise);
    return { figure: { ...blend(a.figure, b.figure, share), difference: true, noise, exact: false }, where: b.where };
  };

  const loadTable = (choice, entries) => {
    const { length, keys, forged } = choice.load;
    const share = forged / 100;
    const costs = entries.map((entry) => {
      const parts = { decrypt: at(lineOf(entry, "decrypt", 1), length), reject: at(lineOf(entry, "reject", 1), length), keys: underKeys(entry, length, keys)?.figure };
      const whole = parts.decrypt && (parts.reject || share === 0) && parts.keys;
      return { entry, parts, figure: whole ? combine([[1 - share, parts.decrypt], ...(share ? [[share, parts.reject]] : []), [1, parts.keys]]) : null };
    });
    const rows = [];
    for (const machine of choice.machines) {
      const its = costs.filter((cost) => cost.entry.machine.name === machine && cost.figure);
      const spread = its[0]?.entry.machine.spreads.decrypt;
      for (const cost of ranked(its, spread)) {
        const cell = (figure) => numberCell(figure, "cycles", length, null, null);
        rows.push([`${cost.rank}${cost.shared ? "=" : ""}`, systemCell(choice, cost.entry), numberCell(cost.figure, "cycles", length, null, cost), cell(cost.parts.decrypt), cell(cost.parts.reject), cell(cost.parts.keys)]);
      }
    }
    if (!rows.length) return element("p", { class: "empty" }, "None of the selected systems was measured with this length and number of keys; the length must be within the measured ones.");
    const unit = choice.operation.machines[0].unit;
    const columns = [["#", "number"], ["system", "name"], [`${unit} per packet`, "number"], ["decrypt", "number"], ["reject", "number"], ["many keys add", "number"]];
    const title = `${length}-${one(choice.operation)} packets, ${keys === 1 ? "one key" : `${keys} active keys`}, ${forged} % forged`;
    const parts = [`${(100 - forged) / 100} × decrypt`, ...(share ? [`${share} × reject`] : []), ...(keys > 1 ? [`the extra time of encrypt with ${keys} keys`] : [])];
    const note = `A packet costs ${parts.join(" + ")}.`;
    return table(title, columns, rows, [note, ...NOTES]);
  };

  // ---- The crossovers ----

  const MOST_PAIRS = 100;
  const crossovers = async (choice, entries) => {
    const pairs = [];
    for (const machine of choice.operation.machines.filter(({ name }) => choice.machines.includes(name))) {
      const changes = (await load(machine.crossovers))[choice.measure] ?? {};
      const its = entries.filter((entry) => entry.machine === machine && lineOf(entry, choice.measure, choice.keys));
      for (const [index, a] of its.entries()) {
        for (const b of its.slice(index + 1)) {
          const [first, second] = a.system < b.system ? [a, b] : [b, a];
          pairs.push([machine, first, second, choice.keys === 1 ? changes[first.system]?.[second.system] ?? [] : []]);
        }
      }
    }
    return pairs;
  };

  const verdict = (choice, a, b) => {
    const [ours, theirs] = [a, b].map((entry) => lineOf(entry, choice.measure, choice.keys));
    const ratios = [];
    let other = 0;
    for (let index = 0; index < ours.length.length; index += 1) {
      while (other < theirs.length.length && theirs.length[other] < ours.length[index]) other += 1;
      if (theirs.length[other] === ours.length[index] && theirs.cycles[other] > 0 && ours.cycles[index] > 0) ratios.push(theirs.cycles[other] / ours.cycles[index]);
    }
    if (!ratios.length) return "no length in common";
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    const spread = a.machine.spreads[choice.measure]?.quiet ?? 0;
    const times = (low, high) => (low.toFixed(2) === high.toFixed(2) ? `${low.toFixed(2)} ×` : `${low.toFixed(2)} to ${high.toFixed(2)} ×`);
    if (least > 1 + spread) return `${a.system} is faster at every length, by ${times(least, most)}`;
    if (most < 1 / (1 + spread)) return `${b.system} is faster at every length, by ${times(1 / most, 1 / least)}`;
    const middle = ratios.sort((x, y) => x - y)[ratios.length >> 1];
    if (middle > 1 + spread) return `${a.system} is mostly faster; no significant difference at some lengths`;
    if (middle < 1 / (1 + spread)) return `${b.system} is mostly faster; no significant difference at some lengths`;
    return "no significant difference on the whole";
  };

  const crossoverTable = (choice, pairs) => {
    if (!pairs.length) return element("p", { class: "empty" }, "Select two or more systems to see from which length on which is faster.");
    const rows = [];
    const first = [...pairs].sort((x, y) => y[3].length - x[3].length).slice(0, MOST_PAIRS);
    for (const [machine, a, b, changes] of first) {
      const pair = `${a.system} and ${b.system}`;
      const where = choice.machines.length > 1 ? machine.name : null;
      if (!changes.length) rows.push([pair, ...(where ? [where] : []), "", "", verdict(choice, a, b)]);
      for (const [length, low, high, below, above] of changes) {
        const name = (sign) => (sign < 0 ? a.system : b.system);
        rows.push([pair, ...(where ? [where] : []), String(length), `${low} to ${high}`, `below ${name(below)} is faster, from here on ${name(above)}`]);
      }
    }
    const columns = [["systems", "name"], ...(choice.machines.length > 1 ? [["machine", "text"]] : []), [`crossover, ${choice.operation.length_unit}`, "number"], ["undecided", "number"], ["verdict", "wide"]];
    return table(`Crossovers: ${choice.measure}`, columns, rows, ["At the crossover the order changes for good; in the undecided interval it varies or is not significant.", ...(pairs.length > first.length ? [`${pairs.length - first.length} more pairs; select fewer systems to see them.`] : [])]);
  };

  // ---- From a choice to the page ----

  let latest = 0;
  const show = async () => {
    const mine = (latest += 1);
    const choice = read();
    fill(choice);
    const entries = await picked(choice);
    const pairs = await crossovers(choice, entries);
    if (mine !== latest) return;
    lines = pictureLines(choice, entries);
    paint(choice);
    const nothing = element("p", { class: "empty" }, "No measured system is selected; select systems and a machine above.");
    const put = (id, make) => document.getElementById(id).replaceChildren(entries.length ? make(choice, entries) : nothing.cloneNode(true));
    if (choice.measure) put("at", lengthTable);
    put("load", loadTable);
    put("plain", plainTable);
    document.getElementById("crossovers").replaceChildren(crossoverTable(choice, pairs));
  };

  const change = (choice) => {
    history.replaceState(null, "", `#${address(choice)}`);
    show();
  };

  // Some fields of the form are outside its element.
  document.addEventListener("change", (event) => { if (event.target.form === form) change(chosen()); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", async (event) => {
    const { preset } = event.target.dataset;
    const choice = read();
    const all = choice.operation.systems;
    const presets = { fastest: () => choice.operation.usual, all: () => all.map(({ name }) => name), none: () => [], unbroken: () => all.filter(({ unbroken }) => unbroken).map(({ name }) => name) };
    if (preset) change({ ...choice, systems: presets[preset]() });
    if (event.target.id === "share") {
      history.replaceState(null, "", `#${address(choice)}`);
      document.getElementById("shared").textContent = (await window.cyclometer.toClipboard(location.href)) ? "Copied." : "Could not copy; the address of this page is the link.";
    }
  });
  addEventListener("hashchange", () => show());

  show();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint(read()));
})();
