// SPDX-License-Identifier: MIT OR Apache-2.0
// "Which system?" on the start page: ranked bars for one length and number of keys, over the machines chosen.
// The address holds the question: index.html#operation=crypto_aead&measure=encrypt&length=1500&keys=1000&machines=a,b
"use strict";

(async () => {
  const { load, element, digits, marks, noDifference, shares } = window.cyclometer;
  const form = document.getElementById("which");
  if (!form) return;
  const answer = document.getElementById("answer");
  const chips = document.getElementById("which-machines");
  const field = (name) => form.elements[name];
  const SHOWN = 10;

  // The cost at a length, interpolated between two measured ones; null outside of them.
  const along = ([, , lengths, cycles, low, high, marked], length) => {
    const parts = shares(lengths, length);
    const sum = (values) => parts.reduce((total, [at, share]) => total + share * (values[at] ?? NaN), 0);
    const is = (bit) => parts.some(([at]) => marked[at] & bit);
    return parts.length ? { cycles: sum(cycles), low: sum(low), high: sum(high), between: parts.length > 1, disturbed: is(1), varies: is(2) } : null;
  };

  // The cost of a packet: the line under one key, and what this many keys add at the nearest length where they were
  // measured, with the nearest number of keys measured.
  const cost = (lines, measure, length, keys) => {
    const of = lines.filter(([name]) => name === measure);
    const single = of.find(([, count]) => count === 1);
    if (!single) return null;
    const hasLength = single[2].at(-1) > 0;
    const base = along(single, hasLength ? length : 0);
    if (!base || keys <= 1) return base;
    const many = of.filter(([, count]) => count > 1);
    if (!many.length) return base;
    const nearest = many.reduce((a, b) => (Math.abs(Math.log(b[1] / keys)) < Math.abs(Math.log(a[1] / keys)) ? b : a));
    const at = nearest[2].reduce((a, b) => (Math.abs(b - length) < Math.abs(a - length) ? b : a));
    const [alone, under] = [along(single, at), along(nearest, at)];
    if (!alone) return base;
    const either = (name) => base[name] || alone[name] || under[name];
    const added = (name, other) => base[name] + Math.max(0, under[name] - alone[other]);
    return { cycles: added("cycles", "cycles"), low: added("low", "high"), high: added("high", "low"), between: base.between || nearest[1] !== keys || at !== length, disturbed: either("disturbed"), varies: either("varies") };
  };

  const wanted = () => new URLSearchParams(location.hash.slice(1));
  const chosenMachines = () => [...chips.querySelectorAll("input:checked")].map((box) => box.value);

  // Systems with a cost on every machine chosen, by the geometric mean of their cost over the best one there.
  const ranked = (data, machines, measure, length, keys, unbroken) => {
    const found = Object.entries(data.systems).flatMap(([name, about]) => {
      if (unbroken && !about.unbroken) return [];
      const costs = machines.map((machine) => cost(machine.costs[name] ?? [], measure, length, keys));
      return costs.every((each) => each && each.cycles > 0) ? [{ name, about, costs }] : [];
    });
    const best = machines.map((_, at) => Math.min(...found.map(({ costs }) => costs[at].cycles)));
    for (const each of found) {
      each.ratios = each.costs.map(({ cycles }, at) => cycles / best[at]);
      each.mean = Math.exp(each.ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / machines.length);
    }
    return found.sort((a, b) => a.mean - b.mean || (a.name < b.name ? -1 : 1));
  };

  const perSecond = (value) => (value >= 1e6 ? `${(value / 1e6).toPrecision(3)} M` : value >= 1e3 ? `${(value / 1e3).toPrecision(3)} k` : value.toPrecision(3));

  const bar = (entry, machines, most, ties) => {
    const numbers = entry.costs.map(({ cycles, low, high, between, ...marked }, at) => {
      const rate = machines[at].hertz ? `, ${perSecond(machines[at].hertz / cycles)}/s` : "";
      return element("span", { title: `${machines[at].name}: ${between ? "interpolated" : "measured"}` }, machines.length > 1 ? `${machines[at].name} ` : "", ...marks(marked), `${between ? "≈\u00a0" : ""}${digits(cycles, false, (high - low) / 2)}${rate}`);
    });
    const name = element("a", { href: entry.about.page }, entry.name);
    const width = `${(100 * entry.mean) / most}%`;
    const mark = element("span", { class: "bar" });
    mark.style.width = width;
    return element("li", { class: ties ? "winner" : "" }, element("span", { class: "what" }, name, ties ? " " : null, ties ? element("span", { class: "badge" }, ties) : null), mark, element("span", { class: "costs" }, ...numbers.flatMap((each, at) => (at ? [" · ", each] : [each]))));
  };

  const show = (data, measure, length, keys, machines, unbroken) => {
    const found = machines.length ? ranked(data, machines, measure, length, keys, unbroken) : [];
    if (!found.length) {
      answer.replaceChildren(element("li", { class: "empty" }, machines.length ? "No system was measured so on all of these machines." : "Choose a machine."));
      return;
    }
    const tied = (entry) => entry.costs.every((own, at) => noDifference(found[0].costs[at], own, machines[at].spreads[measure]));
    const winners = found.filter((entry, index) => index === 0 || tied(entry));
    const shown = found.slice(0, SHOWN);
    const most = shown.at(-1).mean;
    const label = (entry) => (!winners.includes(entry) ? "" : winners.length > 1 ? "tie for the best" : machines.length > 1 ? `best over ${machines.length} machines` : "best");
    answer.replaceChildren(...shown.map((entry) => bar(entry, machines, most, label(entry))));
    document.getElementById("which-rest").textContent = found.length > SHOWN ? `${found.length - SHOWN} slower systems are in the tables below.` : "";
  };

  const fill = (select, values, value) => {
    select.replaceChildren(...values.map((each) => element("option", { value: each }, each)));
    if (values.includes(value)) select.value = value;
  };

  const update = async (fresh) => {
    const given = fresh ? wanted() : null;
    if (given?.get("operation")) field("operation").value = given.get("operation");
    if (!field("operation").value) field("operation").selectedIndex = 0;
    const data = await load(`finder/${field("operation").selectedOptions[0].dataset.key}`);
    fill(field("measure"), data.measures, given?.get("measure") ?? field("measure").value);
    if (given?.has("length")) field("at").value = given.get("length");
    if (given?.has("keys")) field("keys").value = given.get("keys");
    if (given) field("unbroken").checked = given.get("unbroken") === "yes";
    const names = data.machines.map(({ name }) => name);
    const asked = given?.get("machines")?.split(",").map(decodeURIComponent) ?? (chips.dataset.operation === field("operation").value ? chosenMachines() : names);
    chips.dataset.operation = field("operation").value;
    chips.replaceChildren(...data.machines.map(({ name, cpu }) => element("label", { class: "chip", title: cpu }, element("input", { type: "checkbox", value: name, checked: asked.includes(name) }), name)));
    const lines = data.machines.flatMap((machine) => Object.values(machine.costs).flat()).filter(([measure]) => measure === field("measure").value);
    document.getElementById("which-length").hidden = !lines.some(([, , lengths]) => lengths.at(-1) > 0);
    document.getElementById("which-keys").hidden = !lines.some(([, count]) => count > 1);
    document.getElementById("which-unit").textContent = data.length_unit;
    const lengths = lines.flatMap(([, , several]) => several);
    if (given && !given.has("length") && lengths.length) {  // nobody has asked: one between the measured lengths
      field("at").value = Math.min(Math.max(Number(field("at").value), Math.min(...lengths)), Math.max(...lengths));
    }
    const length = Math.max(0, Number(field("at").value) || 0);
    const keys = Math.max(1, Number(field("keys").value) || 1);
    const machines = data.machines.filter(({ name }) => chosenMachines().includes(name));
    show(data, field("measure").value, length, keys, machines, field("unbroken").checked);
    if (!fresh) {
      const parts = { operation: field("operation").value, measure: field("measure").value, length, keys, machines: chosenMachines().map(encodeURIComponent).join(","), ...(field("unbroken").checked ? { unbroken: "yes" } : {}) };
      history.replaceState(null, "", `#${new URLSearchParams(parts).toString().replaceAll("%2C", ",")}`);
    }
    answer.dataset.drawn = "yes";
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => void update(false));
  window.addEventListener("hashchange", () => void update(true));
  form.hidden = false;
  await update(true);
})();
