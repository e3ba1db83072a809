// SPDX-License-Identifier: MIT OR Apache-2.0
// Workloads: from files, traces and addresses to what is ranked, by the rules of `cyclometer rank` (docs/rank.md).
// A workload is given as texts, one for each field of the form; `workload.of` checks them.
"use strict";
window.cyclometer = window.cyclometer || {};

(() => {
  const MAX_LENGTH = 16777216;
  const MAX_KEYS = 1048576;
  const MAX_NODES = 24; // different lengths that are kept; what lies between is interpolated
  const MODELS = ["nonce-respecting", "misuse-resistant", "related-key"];
  const POWER = /^2\^-?\d+(\.\d+)?$/;
  const ORDER = /^(random|round-robin|zipf 1\.0|bursts of [1-9]\d{0,5})$/;

  // The fields, with what an empty one means.
  const DEFAULTS = { title: "", source: "", packets: "", ad: "", keys: "1", order: "random", packets_per_key: "1000000", encrypt: "0.5", forged: "0", code_bytes: "", expanded_key_bytes: "", stack_bytes: "", constant_time: "", bits: "", quantum_bits: "", model: "nonce-respecting", forgery: "", as_of: "" };

  // Where each field is in a file.
  const TABLES = {
    packets: ["histogram", "range", "trace", "ad"],
    keys: ["active", "order", "packets_per_key"],
    mix: ["encrypt", "forged"],
    limits: ["code_bytes", "expanded_key_bytes", "stack_bytes", "constant_time"],
    security: ["bits", "quantum_bits", "model", "forgery"],
  };

  const refuse = (reason) => { throw new Error(reason); };
  const grouped = (number) => number.toLocaleString("en-US");

  // ---- Fields to numbers ----

  const integer = (text, name, least, most = Number.MAX_SAFE_INTEGER) => {
    const plain = String(text).replaceAll("_", "").trim();
    if (!/^\d{1,15}$/.test(plain) || Number(plain) < least || Number(plain) > most) refuse(`${name}: ${text || "nothing"} is not a whole number ${most < Number.MAX_SAFE_INTEGER ? `from ${grouped(least)} to ${grouped(most)}` : `of at least ${least}`}`);
    return Number(plain);
  };
  const optional = (text, name) => (String(text).trim() ? integer(text, name, 0) : null);
  const share = (text, name) => {
    const value = Number(text);
    if (String(text).trim() === "" || !(value >= 0 && value <= 1)) refuse(`${name}: ${text || "nothing"} is not a share from 0 to 1`);
    return value;
  };
  const weight = (text, name) => {
    const value = text === undefined ? 1 : Number(text);
    if (!(value >= 0 && value < Infinity)) refuse(`${name}: ${text} is not a weight`);
    return value;
  };

  // "40:7, 576:4" or "64-1500" (all equally often) or "40/8:7" (with 8 bytes of associated data) to [length, ad, weight];
  // ad is null where none is given.
  const histogram = (text, name) => {
    const found = [];
    for (const item of text.split(/[\s,;]+/).filter(Boolean)) {
      const range = item.match(/^(\d{1,9})-(\d{1,9})$/);
      const single = item.match(/^(\d{1,9})(?:\/(\d{1,9}))?(?::(.+))?$/);
      if (!range && !single) refuse(`${name}: ${item} is not LENGTH:WEIGHT, LENGTH/AD:WEIGHT or SHORTEST-LONGEST`);
      const [first, last] = range ? [Number(range[1]), Number(range[2])] : [Number(single[1]), Number(single[1])];
      const ad = single?.[2] === undefined ? null : Number(single[2]);
      if (last < first || last > MAX_LENGTH || (ad ?? 0) > MAX_LENGTH) refuse(`${name}: ${item} is not a length from 0 to ${grouped(MAX_LENGTH)} bytes`);
      const each = range ? 1 : weight(single[3], name);
      if (last - first > 1e6) refuse(`${name}: ${item} is too wide for a page; \`cyclometer rank\` takes it from a file`);
      for (let length = first; length <= last && each; length += 1) found.push([length, ad, each]);
    }
    if (!found.length) refuse(`${name} has no packets; give at least one length a weight above 0`);
    return found;
  };

  const packetsOf = (fields) => {
    const lengths = histogram(fields.packets, "packets");
    const ads = fields.ad.trim() ? histogram(fields.ad, "ad") : [[0, null, 1]];
    const packets = new Map();
    const add = (length, ad, weight) => {
      const key = `${length}/${ad}`;
      packets.set(key, { length, ad, weight: (packets.get(key)?.weight ?? 0) + weight });
    };
    for (const [length, own, weight] of lengths) {
      if (own !== null) add(length, own, weight);
      else for (const [ad, , ofAd] of ads) add(length, ad, weight * ofAd);
    }
    return [...packets.values()];
  };

  // ---- At most MAX_NODES lengths for each length of associated data ----

  const nodesOf = (weights) => {
    const lengths = [...weights.keys()];
    if (lengths.length <= MAX_NODES) return lengths;
    const frequent = [...lengths].sort((a, b) => weights.get(b) - weights.get(a)).slice(0, Math.floor(MAX_NODES / 3));
    const even = Math.floor((MAX_NODES * 2) / 3);
    const others = Array.from({ length: even }, (_, index) => lengths[Math.floor((index * (lengths.length - 1)) / (even - 1))]);
    return [...new Set([...frequent, ...others])].sort((a, b) => a - b);
  };

  const interpolated = (packets) => {
    const total = packets.reduce((sum, { weight }) => sum + weight, 0);
    const result = new Map();
    const add = (length, ad, weight) => {
      const key = `${length}/${ad}`;
      result.set(key, { length, ad, share: (result.get(key)?.share ?? 0) + weight / total });
    };
    for (const ad of [...new Set(packets.map((each) => each.ad))].sort((a, b) => a - b)) {
      const own = packets.filter((each) => each.ad === ad && each.weight).sort((a, b) => a.length - b.length);
      const weights = new Map(own.map(({ length, weight }) => [length, weight]));
      const nodes = nodesOf(weights);
      for (const [length, weight] of weights) {
        for (const [at, share] of window.cyclometer.shares(nodes, length)) add(nodes[at], ad, weight * share);
      }
    }
    return [...result.values()];
  };

  // The workload that the fields describe; an error says which field is wrong and why.
  const of = (fields) => {
    const given = { ...DEFAULTS, ...fields };
    const packets = packetsOf(given);
    if (!ORDER.test(given.order)) refuse(`order: ${given.order} is not random, round-robin, zipf 1.0 or bursts of 16`);
    if (!MODELS.includes(given.model)) refuse(`model: ${given.model} is not one of ${MODELS.join(", ")}`);
    if (given.forgery && !POWER.test(given.forgery)) refuse(`forgery: ${given.forgery} is not a power of two such as 2^-64`);
    if (given.forgery && Number(given.forgery.slice(2)) > 0) refuse(`forgery: ${given.forgery} is above 1; give a probability such as 2^-64`);
    if (given.as_of && !(/^\d{4}-\d\d-\d\d$/.test(given.as_of) && Number.isFinite(Date.parse(given.as_of)))) refuse(`as of: ${given.as_of} is not a date such as 2008-05-01`);
    const many = new Set(packets.map(({ length }) => length)).size > MAX_NODES;
    return {
      title: given.title || "Your workload",
      packets: interpolated(packets),
      interpolated: many ? packets.length : 0,
      keys: integer(given.keys, "active keys", 1, MAX_KEYS),
      order: given.order,
      packetsPerKey: integer(given.packets_per_key, "packets per key", 1),
      encrypt: share(given.encrypt, "encrypt"),
      forged: share(given.forged, "forged"),
      limits: { ...Object.fromEntries(["code_bytes", "expanded_key_bytes", "stack_bytes"].map((name) => [name, optional(given[name], name)])), constant_time: given.constant_time === "yes" },
      security: { bits: optional(given.bits, "bits") ?? 0, quantum_bits: optional(given.quantum_bits, "quantum bits") ?? 0, model: given.model, forgery: given.forgery },
      asOf: given.as_of || null,
    };
  };

  // ---- TOML, as far as workload files use it ----

  const nearest = (name, known) => {
    const distance = (a, b) => {
      const row = Array.from({ length: b.length + 1 }, (_, index) => index);
      for (let i = 1; i <= a.length; i += 1) {
        let corner = row[0];
        row[0] = i;
        for (let j = 1; j <= b.length; j += 1) [corner, row[j]] = [row[j], Math.min(row[j] + 1, row[j - 1] + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1))];
      }
      return row[b.length];
    };
    const best = known.map((each) => [distance(name, each), each]).sort((a, b) => a[0] - b[0])[0];
    return best && best[0] <= Math.max(2, name.length / 2) ? `; did you mean '${best[1]}'?` : "";
  };

  const TOKEN = /"(?:[^"\\]|\\.)*"|'[^']*'|[\[\]{},=]|[^\s\[\]{},=#"']+/g;
  const scalar = (token, place) => {
    if (token[0] === '"') return JSON.parse(token);
    if (token[0] === "'") return token.slice(1, -1);
    if (token === "true" || token === "false") return token === "true";
    const number = Number(token.replaceAll("_", ""));
    return Number.isNaN(number) ? refuse(`${place}: ${token} is not a value`) : number;
  };
  const value = (tokens, place) => {
    const token = tokens.shift() ?? refuse(`${place}: a value is missing`);
    if (token !== "[" && token !== "{") return scalar(token, place);
    const closing = token === "[" ? "]" : "}";
    const found = token === "[" ? [] : {};
    while (tokens[0] !== closing) {
      if (token === "[") found.push(value(tokens, place));
      else {
        const key = tokens.shift();
        if (key === undefined || tokens.shift() !== "=") refuse(`${place}: an inline table needs KEY = VALUE`);
        found[key.replace(/^["']|["']$/g, "")] = value(tokens, place);
      }
      if (tokens[0] === ",") tokens.shift();
      else if (tokens[0] !== closing) refuse(`${place}: ${closing} is missing`);
    }
    tokens.shift();
    return found;
  };

  // The tables of a file, each as key -> value; the top level is "".
  const toml = (text, file) => {
    const tables = { "": {} };
    let table = "";
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const place = `${file}, line ${index + 1}`;
      const code = line.match(/^(?:[^#"']|"(?:[^"\\]|\\.)*"|'[^']*')*/)[0];
      const tokens = code.match(TOKEN) ?? [];
      if (!tokens.length) continue;
      if (tokens[0] === "[" && tokens.length === 3 && tokens[2] === "]") {
        table = tokens[1];
        if (!(table in TABLES)) refuse(`${place}: unknown key '${table}'${nearest(table, Object.keys(TABLES))}`);
        tables[table] = {};
        continue;
      }
      const key = tokens.shift();
      if (tokens.shift() !== "=") refuse(`${place}: neither a table nor KEY = VALUE`);
      const known = table ? TABLES[table] : ["title", "source"];
      if (!known.includes(key)) refuse(`${place}: unknown key '${table ? `${table}.` : ""}${key}'${nearest(key, known)}`);
      tables[table][key] = value(tokens, place);
      if (tokens.length) refuse(`${place}: ${tokens[0]} is too much`);
    }
    return tables;
  };

  const weights = (table) => Object.entries(table).map(([length, weight]) => `${length}:${weight}`).join(", ");

  // The fields of a workload file.
  const ofToml = (text, file) => {
    const { "": top, packets = {}, keys = {}, mix = {}, limits = {}, security = {} } = toml(text, file);
    if (packets.trace) refuse(`${file}: packets.trace names another file; import that one instead`);
    if (packets.histogram && packets.range) refuse(`${file}: [packets] has histogram and range; give one of them`);
    if (!packets.histogram && !packets.range) refuse(`${file}: [packets] has no packets; give histogram, range or trace`);
    const texts = Object.fromEntries(Object.entries({ ...limits, ...security, ...mix }).map(([name, each]) => [name, String(each)]));
    const fields = {
      ...DEFAULTS, ...texts,
      title: top.title ?? file, source: top.source ?? "",
      packets: packets.histogram ? weights(packets.histogram) : packets.range.join("-"),
      ad: packets.ad ? weights(packets.ad) : "",
      keys: String(keys.active ?? 1), order: keys.order ?? "random", packets_per_key: String(keys.packets_per_key ?? 1000000),
      constant_time: limits.constant_time ? "yes" : "",
    };
    try { of(fields); } catch (error) { refuse(`${file}: ${error.message}`); }
    return fields;
  };

  // ---- Traces: CSV with a line for each packet ----

  const COLUMNS = ["length", "ad_length", "key", "forged"];
  const ofCsv = (text, file) => {
    const lines = text.split(/\r?\n/);
    const header = lines[0].split(",").map((name) => name.trim());
    for (const name of header) if (!COLUMNS.includes(name)) refuse(`${file}, line 1: unknown column '${name}'${nearest(name, COLUMNS)}`);
    if (!header.includes("length") || new Set(header).size < header.length) refuse(`${file}, line 1: the header must name ${COLUMNS.join(", ")} once each; only length is needed`);
    const at = Object.fromEntries(COLUMNS.map((name) => [name, header.indexOf(name)]));
    const [counts, keys] = [new Map(), new Set()];
    let [packets, forged] = [0, 0];
    for (let index = 1; index < lines.length; index += 1) {
      if (!lines[index]) continue;
      const words = lines[index].split(",");
      const place = () => `${file}, line ${index + 1}`;
      if (words.length !== header.length) refuse(`${place()} has ${words.length} of ${header.length} values`);
      const number = (name, most) => {
        if (at[name] < 0) return 0;
        const word = words[at[name]].trim();
        if (!/^\d{1,18}$/.test(word)) refuse(`${place()}: ${name} '${word.slice(0, 40)}' is not a number`);
        if (Number(word) > most) refuse(name === "forged" ? `${place()}: forged ${word} is neither 0 nor 1` : `${place()}: longer than ${grouped(MAX_LENGTH)} bytes, the most that can be measured`);
        return Number(word);
      };
      const packet = `${number("length", MAX_LENGTH)}/${number("ad_length", MAX_LENGTH)}`;
      counts.set(packet, (counts.get(packet) ?? 0) + 1);
      keys.add(number("key", Infinity));
      forged += number("forged", 1);
      packets += 1;
    }
    if (!packets) refuse(`${file} has no packets`);
    if (keys.size > MAX_KEYS) refuse(`${file} has ${grouped(keys.size)} different keys; at most ${grouped(MAX_KEYS)} can be measured`);
    const kept = interpolated([...counts].map(([packet, weight]) => { const [length, ad] = packet.split("/").map(Number); return { length, ad, weight }; }));
    return { ...DEFAULTS, title: `${file}: ${grouped(packets)} packets`, source: file, packets: kept.map(({ length, ad, share }) => `${length}/${ad}:${Number(share.toPrecision(9))}`).join(", "), keys: String(keys.size), forged: String(forged / packets) };
  };

  // ---- Addresses ----

  const toAddress = (fields) => {
    const changed = Object.entries(fields).filter(([name, text]) => name in DEFAULTS && name !== "source" && text !== DEFAULTS[name]);
    return new URLSearchParams(changed).toString();
  };
  const fromAddress = (text) => {
    const given = new URLSearchParams(text);
    return given.has("packets") ? { ...DEFAULTS, ...Object.fromEntries([...given].filter(([name]) => name in DEFAULTS)) } : null;
  };

  window.cyclometer.workload = { of, ofToml, ofCsv, toAddress, fromAddress, DEFAULTS, MODELS };
})();
