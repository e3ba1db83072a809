// SPDX-License-Identifier: MIT OR Apache-2.0
// "Your traffic": the fields hold a workload, the address holds the fields, and the page ranks for them.
"use strict";

(async () => {
  const { load, unpack, unpackAll, element, table, digits, marks, MEANINGS, workload, ranking, front } = window.cyclometer;
  const form = document.getElementById("workload");
  if (!form) return;
  const index = await load("traffic");
  const NAMES = Object.keys(workload.DEFAULTS).filter((name) => form.elements[name]);
  const field = (name) => form.elements[name];
  const put = (id, ...content) => document.getElementById(id).replaceChildren(...content.filter(Boolean));
  const options = (select, pairs) => select.replaceChildren(...pairs.map(([value, text]) => element("option", { value }, text)));
  const presets = new Map(Object.entries(index.presets).map(([name, text]) => [name, workload.ofToml(text, `${name}.toml`)]));

  // ---- The form ----

  let title = ""; // of the file or preset, as long as nothing is edited
  const fields = () => ({ title, ...Object.fromEntries(NAMES.map((name) => [name, field(name).value.trim()])) });
  const fill = (given) => {
    for (const name of NAMES) field(name).value = given[name] ?? workload.DEFAULTS[name];
    title = given.title ?? "";
    field("preset").value = [...presets].find(([, each]) => workload.toAddress(each) === workload.toAddress(given))?.[0] ?? "";
  };

  const machines = new Map();
  const material = async (name) => {
    if (!machines.has(name)) {
      machines.set(name, (async () => {
        const data = await load(index.machines.find((each) => each.name === name).data);
        const draws = Object.fromEntries(await Promise.all(Object.entries(data.draws).map(async ([rounds, packed]) => [rounds, await unpack(packed)])));
        return ranking.material(await unpackAll(data.columns), { ...data, draws });
      })());
    }
    return machines.get(name);
  };

  // ---- The answer ----

  const approximate = (cost) => (cost.exact ? "" : "≈\u00a0");
  const number = (cost) => (cost ? element("td", { class: "number", "data-value": cost.value }, ...marks(cost), `${approximate(cost)}${digits(cost.value)}`) : "–");
  const plain = (value, text = String(value)) => element("td", { class: "number", "data-value": value ?? "" }, value === null || value === undefined ? "–" : text);
  const named = (name) => element("th", { scope: "row", class: "name" }, index.pages[name] ? element("a", { href: index.pages[name] }, name) : name);

  const rankingTable = (entries, given, unit) => {
    const best = entries[0].cost.value;
    const year = Number((given.asOf ?? new Date().toISOString()).slice(0, 4));
    const replayed = entries.some(({ replay }) => replay);
    const columns = [["#", "number"], ["system", "name"], ["cost", "number"], ["from", "number"], ["to", "number"], ["/best", "number"], ...(replayed ? [["replay/model", "number"]] : []), ["bits left", "number"], ["code bytes", "number"], ["key bytes", "number"], ["years", "number"], ["dominated by", "text"]];
    const rows = entries.map((entry) => {
      const ends = entry.cost.interval ?? [null, null];
      return [
        plain(entry.rank, `${entry.rank}${entry.shared ? "=" : ""}`), named(entry.name), number(entry.cost), ...ends.map((end) => plain(end, end === null ? "" : digits(end))),
        plain(best ? entry.cost.value / best : null, (entry.cost.value / best).toFixed(3)),
        ...(replayed ? [plain(entry.replay ? entry.replay.value / entry.model.value : null, entry.replay ? (entry.replay.value / entry.model.value).toFixed(3) : "")] : []),
        plain(entry.bits), plain(window.cyclometer.codeBytes(entry.sizes)), plain(entry.sizes.expanded_key_bytes), plain(entry.facts.year ? Math.max(0, year - entry.facts.year) : null), entry.dominatedBy || "–",
      ];
    });
    const notes = ["#  rank; = shared by systems between which no difference is seen", ...(entries.some(({ cost }) => !cost.exact) ? ["≈  interpolated: `cyclometer rank` measures what is missing"] : []), ...(entries.some(({ cost }) => cost.disturbed) ? [`~  ${MEANINGS["~"]}`] : []), ...(entries.some(({ cost }) => cost.varies) ? [`?  ${MEANINGS["?"]}`] : [])];
    return table(`${unit} a packet`, columns, rows, notes);
  };

  const partsTable = (entries, given, { unit, hertz }) => {
    const mean = given.packets.reduce((sum, { length, share }) => sum + length * share, 0);
    const columns = [["system", "name"], ...ranking.TERMS.map((name) => [`${name} %`, "number"]), ["model", "number"], ["replay", "number"], ["all forged", "number"], ["one key", "number"], ["per byte", "number"], ["M packets/s", "number"], ["Gbit/s", "number"]];
    const rows = entries.map((entry) => {
      const rate = hertz && entry.cost.value > 0 ? hertz / entry.cost.value : null;
      return [named(entry.name), ...ranking.TERMS.map((name) => plain(100 * entry.cost.shares[name], (100 * entry.cost.shares[name]).toFixed(1))), number(entry.model), number(entry.replay), number(entry.flood), number(entry.oneKey), plain(mean ? entry.cost.value / mean : null, (entry.cost.value / mean).toFixed(3)), ...[rate && rate / 1e6, rate && (rate * mean * 8) / 1e9].map((value) => plain(value, value === null ? "" : value.toFixed(3)))];
    });
    return table(`What the cost consists of (${unit})`, columns, rows);
  };

  const changesTable = (found) => {
    const shown = (value) => (value === null || value === undefined ? "–" : Number.isInteger(value) ? String(value) : value.toFixed(4));
    const rows = found.map(({ variable, value, interval, leaders }) => [element("th", { scope: "row", class: "name" }, variable), plain(value, shown(value)), plain(interval?.[0], shown(interval?.[0])), plain(interval?.[1], shown(interval?.[1])), leaders.join(" = ")]);
    return rows.length ? table("Where the leader changes", [["variable", "name"], ["at", "number"], ["from", "number"], ["to", "number"], ["leader", "text"]], rows) : null;
  };

  const list = (heading, lines) => (lines.length ? element("details", { open: lines.length < 9 }, element("summary", {}, `${lines.length} ${heading}`), element("ul", {}, ...lines.map((line) => element("li", {}, line)))) : null);

  const answer = async (given, data) => {
    const found = await ranking.rank(data, given, index.systems);
    const packets = given.interpolated ? `; ≈ interpolated between some of ${given.interpolated.toLocaleString("en-US")} different packets` : "";
    put("what", `${given.title}${packets}`);
    const { entries } = found;
    const none = element("p", { class: "empty" }, "Every system is excluded; the reasons are below.");
    put("ranking", entries.length ? rankingTable(entries, given, data.unit) : none);
    put("front", entries.length ? element("figure", { class: "graph" }, element("figcaption", {}, element("h3", {}, "Security and cost: filled marks are dominated by nobody; the area is the code's size")), front(entries, data.unit)) : null);
    put("changes", changesTable(ranking.changes(data, given, found)));
    put("parts", entries.length ? partsTable(entries, given, data) : null);
    put("excluded", list("excluded", found.excluded.map(([name, reasons]) => `${name} excluded: ${reasons.join("; ")}`)));
    put("notes", list("notes", found.notes));
  };

  const complain = (reason) => {
    const wrong = document.getElementById("wrong");
    wrong.hidden = !reason;
    wrong.textContent = reason;
    document.getElementById("answer").hidden = Boolean(reason);
  };

  let latest = 0;
  const show = async () => {
    const mine = (latest += 1);
    form.removeAttribute("data-done");
    try {
      const given = workload.of(fields());
      const data = await material(field("machine").value);
      if (mine !== latest) return;
      complain("");
      await answer(given, data);
    } catch (error) {
      complain(error.message);
    }
    if (mine === latest) form.dataset.done = String(mine);
  };

  // ---- Who is never bad ----

  const compare = async () => {
    const data = await material(field("machine").value);
    const multiples = new Map();
    for (const [name, each] of presets) {
      const { entries } = await ranking.rank(data, workload.of(each), index.systems);
      for (const { name: system, cost } of entries) multiples.set(system, { ...multiples.get(system), [name]: cost.value / entries[0].cost.value });
    }
    const names = [...presets.keys()];
    const worst = (own) => (names.every((name) => name in own) ? Math.max(...Object.values(own)) : null);
    const rows = [...multiples].map(([system, own]) => ({ system, own, regret: worst(own) })).sort((a, b) => (a.regret ?? Infinity) - (b.regret ?? Infinity) || Object.keys(b.own).length - Object.keys(a.own).length || (a.system < b.system ? -1 : 1));
    const cell = (value) => plain(value, value === undefined || value === null ? "" : value.toFixed(2));
    put("regret", rows.length ? table("Cost as a multiple of the best", [["system", "name"], ...names.map((name) => [name, "number"]), ["regret", "number"]], rows.map(({ system, own, regret }) => [named(system), ...names.map((name) => cell(own[name])), cell(regret)]), ["–  excluded, or not measured so; only systems with a number in each workload have a regret"]) : element("p", { class: "empty" }, "No system can be ranked in these workloads."));
  };

  // ---- Events and addresses ----

  const address = () => `#${workload.toAddress(fields())}&machine=${encodeURIComponent(field("machine").value)}`;
  const changed = () => { history.replaceState(null, "", address()); return show(); };
  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    if (index.machines.some(({ name }) => name === given.get("machine"))) field("machine").value = given.get("machine");
    fill(workload.fromAddress(location.hash.slice(1)) ?? presets.get("imix") ?? [...presets.values()][0] ?? { ...workload.DEFAULTS, packets: "40:7, 576:4, 1500:1" });
    return show();
  };

  const take = async (file) => {
    if (!file) return;
    form.removeAttribute("data-done");
    try {
      const text = await file.text();
      fill(file.name.endsWith(".csv") ? workload.ofCsv(text, file.name) : workload.ofToml(text, file.name));
      await changed();
    } catch (error) {
      complain(error.message);
      form.dataset.done = "refused";
    }
  };

  options(field("machine"), index.machines.map(({ name }) => [name, name]));
  options(field("preset"), [["", "your own"], ...[...presets].map(([name, { title: text }]) => [name, `${name}: ${text}`])]);
  options(field("model"), workload.MODELS.map((name) => [name, name]));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (target.name === "file") return void take(target.files[0]).then(() => { target.value = ""; });
    if (target.name === "preset") { if (presets.has(target.value)) fill(presets.get(target.value)); return void changed(); }
    if (NAMES.includes(target.name)) { title = ""; field("preset").value = ""; }
    return void changed();
  });
  document.getElementById("compare").addEventListener("click", () => void compare());
  document.getElementById("share").addEventListener("click", async () => {
    history.replaceState(null, "", address());
    const copied = await window.cyclometer.toClipboard(location.href);
    document.getElementById("shared").textContent = copied ? "Copied." : "Could not copy; the address of this page is the link.";
  });
  addEventListener("hashchange", () => void read());
  await read();
})();
