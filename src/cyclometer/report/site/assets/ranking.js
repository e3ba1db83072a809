// SPDX-License-Identifier: MIT OR Apache-2.0
// Rankings in the browser: costs, intervals, ties and fronts as `cyclometer rank --stored` computes them (docs/rank.md).
// A point is "measure|length|associated data|keys". Where one is not measured, it is a weighted sum of some that are (≈).
"use strict";
window.cyclometer = window.cyclometer || {};

(() => {
  const TERMS = ["encrypt", "decrypt", "reject", "expandkey"];
  const LOW = 0.025; // the interval covers 95 %
  const FEW = 3; // rounds; of fewer, the smallest counts
  const { bitsLeft, useOf, declaredReasons, sizeReasons, attackNotes } = window.cyclometer.securityLeft;
  const point = (measure, length, ad, keys) => `${measure}|${length}|${ad}|${keys}`;

  // ---- What was measured on one machine ----

  // From the columns of the data file to {tunings: [{primitive, implementation, compiler, runs: Map(run -> Map(point -> round headlines))}], ...}.
  const material = (columns, data) => {
    const tunings = data.tunings.map(([primitive, implementation, compiler]) => ({ primitive, implementation, compiler, runs: new Map(), sizes: [] }));
    let at = 0;
    for (let row = 0; row < columns.tuning.length; row += 1) {
      const { runs } = tunings[columns.tuning[row]];
      const run = columns.run[row];
      if (!runs.has(run)) runs.set(run, new Map());
      const values = columns.values.subarray(at, at + columns.count[row]);
      at += columns.count[row];
      runs.get(run).set(data.points[columns.point[row]].join("|"), { values, disturbed: columns.disturbed[row] === 1, unclear: columns.unclear[row] === 1 });
    }
    for (const [tuning, run, name, value] of data.sizes) tunings[tuning].sizes.push({ run, name, value });
    return { ...data, tunings };
  };

  // ---- Terms ----

  const directions = ({ encrypt, forged }) => [["encrypt", encrypt], ["decrypt", (1 - encrypt) * (1 - forged)], ["reject", (1 - encrypt) * forged]];
  const terms = (load, prefix = "") => [
    ...directions(load).flatMap(([name, weight]) => load.packets.map(({ length, ad, share }) => ({ name, point: point(prefix + name, length, ad, load.keys), weight: weight * share }))),
    { name: "expandkey", point: point("expandkey", 0, 0, 1), weight: 1 / load.packetsPerKey },
  ].filter(({ weight }) => weight);
  const flood = (load) => (load.encrypt < 1 ? { ...load, forged: 1 } : null);
  const oneKey = (load) => ({ ...load, keys: 1 });

  const even = (value) => { const floor = Math.floor(value); const rest = value - floor; return rest > 0.5 || (rest === 0.5 && floor % 2) ? floor + 1 : floor; };
  // The prefix of the measures of a replayed mix: its name is the start of the SHA-256 of its description.
  const replayPrefix = async (load) => {
    const packets = directions(load).flatMap(([name, weight]) => load.packets.filter(({ share }) => weight * share).map(({ length, ad, share }) => `${name}:${length}:${ad}:${Math.max(1, even(1e6 * weight * share))}`));
    const what = `${load.order.replace(" of ", " ").replace(" ", ":")} ${packets.join(",")}`;
    if (!crypto.subtle) return null;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(what)));
    return `replay-${[...digest.slice(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}-`;
  };

  // ---- Which runs of which tuning ----

  const cover = (tuning, points) => {
    const [missing, runs] = [new Set(points), []];
    const newestFirst = [...tuning.runs.keys()].sort((a, b) => b - a);
    for (const run of newestFirst) {
      const found = [...missing].filter((each) => tuning.runs.get(run).has(each));
      if (found.length) runs.push(run);
      for (const each of found) missing.delete(each);
    }
    return { tuning, runs, missing, newest: newestFirst[0] ?? -1 };
  };

  // The rounds of a point over several runs: of the undisturbed runs, if there is one. Kept, so that resamples are, too.
  const pooled = (tuning, runs, name) => {
    tuning.pools ??= new Map();
    const key = `${runs.join()}#${name}`;
    if (!tuning.pools.has(key)) {
      const several = [...runs].sort((a, b) => a - b).map((run) => tuning.runs.get(run).get(name)).filter(Boolean);
      const quiet = several.filter(({ disturbed }) => !disturbed);
      const used = quiet.length ? quiet : several;
      tuning.pools.set(key, several.length ? { values: Float64Array.from(used.flatMap(({ values }) => [...values])), disturbed: !quiet.length, unclear: several.every(({ unclear }) => unclear) } : null);
    }
    return tuning.pools.get(key);
  };

  // ---- Points that were not measured, from those that were ----

  const between = (known, wanted, scale = (value) => value) => {
    if (known.includes(wanted)) return [[wanted, 1]];
    const [below, above] = [known.filter((each) => each < wanted).at(-1), known.find((each) => each > wanted)];
    if (below === undefined || above === undefined) return null;
    const part = (scale(wanted) - scale(below)) / (scale(above) - scale(below));
    return [[below, 1 - part], [above, part]];
  };

  // Points and weights that add up to this point: between two lengths; between two numbers of keys, what each adds at the
  // nearest length at which it was measured, linear in the logarithm; null outside of what was measured.
  const estimate = (index, name) => {
    const [measure, length, ad, keys] = name.split("|").map((part, at) => (at ? Number(part) : part));
    const lengths = (ofKeys) => index.get(`${measure}|${ad}|${ofKeys}`) ?? [];
    const along = (ofKeys) => between(lengths(ofKeys), length)?.map(([each, weight]) => [point(measure, each, ad, ofKeys), weight]) ?? null;
    if (along(keys)) return along(keys);
    const base = along(1);
    const common = (ofKeys) => lengths(ofKeys).filter((each) => lengths(1).includes(each));
    const counts = (index.get(`${measure}|${ad}`) ?? []).filter((each) => common(each).length);
    const sides = base && between(counts, keys, Math.log);
    if (!sides) return null;
    const added = sides.filter(([count]) => count > 1).flatMap(([count, weight]) => {
      const where = common(count).reduce((a, b) => (Math.abs(b - length) < Math.abs(a - length) ? b : a));
      return [[point(measure, where, ad, count), weight], [point(measure, where, ad, 1), -weight]];
    });
    return [...base, ...added];
  };

  const indexOf = (tuning) => {
    if (tuning.index) return tuning.index;
    const index = new Map();
    const add = (key, value) => index.set(key, [...new Set([...(index.get(key) ?? []), value])].sort((a, b) => a - b));
    for (const points of tuning.runs.values()) {
      for (const name of points.keys()) {
        const [measure, length, ad, keys] = name.split("|");
        if (measure.startsWith("replay-")) continue;
        add(`${measure}|${ad}|${keys}`, Number(length));
        add(`${measure}|${ad}`, Number(keys));
      }
    }
    tuning.index = index;
    return index;
  };

  // ---- Costs ----

  const median = (values) => { const middle = values.length >> 1; return values.length % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2; };
  const centerOf = (ordered, disturbed) => (disturbed || ordered.length < FEW ? ordered[(ordered.length - 1) >> 2] : median(ordered));
  const center = (values, disturbed) => centerOf(values.slice().sort(), disturbed);
  const quantile = (ordered, share) => {
    const at = share * (ordered.length - 1);
    const below = Math.floor(at);
    return ordered[below] + (at - below) * ((ordered[below + 1] ?? ordered[below]) - ordered[below]);
  };

  // An interval that reaches far from its number, as in records/varying.py.
  const isWide = (cycles, low, high) => Math.max(cycles - low, high - cycles) > Math.max(0.03 * cycles, 3);

  // The same draws for all systems, as the command line makes them; a number of rounds that it did not foresee gets others.
  const drawsFor = (data, rounds) => {
    if (!data.draws[rounds]) {
      let state = 1;
      const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
      data.draws[rounds] = Uint16Array.from({ length: data.resamples * rounds }, () => Math.floor(next() * rounds));
    }
    return data.draws[rounds];
  };
  const resampled = (data, headline) => {
    if (headline.resampled) return headline.resampled;
    const rounds = headline.values.length;
    const draws = drawsFor(data, rounds);
    const [drawn, result] = [new Float64Array(rounds), new Float64Array(data.resamples)];
    for (let resample = 0; resample < data.resamples; resample += 1) {
      for (let round = 0; round < rounds; round += 1) drawn[round] = headline.values[draws[resample * rounds + round]];
      drawn.sort();
      result[resample] = centerOf(drawn, headline.disturbed);
    }
    headline.resampled = result;
    return result;
  };

  // The headlines of each term of a system: one, or several with weights; null if one is not known.
  const parts = (system, ofLoad) => {
    const found = [];
    for (const term of ofLoad) {
      const measured = pooled(system.tuning, system.runs, term.point);
      if (measured) { found.push({ ...term, headline: measured, exact: true }); continue; }
      const sum = term.point.startsWith("replay-") ? null : estimate(indexOf(system.tuning), term.point);
      if (!sum) return null;
      const all = [...system.tuning.runs.keys()];
      for (const [name, weight] of sum) found.push({ ...term, headline: pooled(system.tuning, all, name), weight: term.weight * weight, exact: false });
    }
    return found;
  };
  const sums = (data, found) => {
    const total = new Float64Array(data.resamples);
    for (const { headline, weight } of found) resampled(data, headline).forEach((value, at) => { total[at] += weight * value; });
    return total;
  };
  const costOf = (data, found) => {
    if (!found) return null;
    const centers = found.map((part) => ({ ...part, cost: part.weight * center(part.headline.values, part.headline.disturbed) }));
    const value = centers.reduce((sum, { cost }) => sum + cost, 0);
    const most = Math.max(...found.map(({ weight }) => weight));
    const counted = found.filter(({ weight }) => weight * 100 >= most);
    const rounds = Math.min(...counted.map(({ headline }) => headline.values.length));
    let interval = null;
    if (rounds > 1) {
      const ordered = sums(data, found).sort();
      interval = [Math.min(quantile(ordered, LOW), value), Math.max(quantile(ordered, 1 - LOW), value)];
    }
    const shares = Object.fromEntries(TERMS.map((name) => [name, centers.filter((part) => part.name === name).reduce((sum, { cost }) => sum + cost, 0) / (value || 1)]));
    const unclear = found.some(({ headline }) => headline.unclear);
    const varies = rounds < FEW || unclear || (interval !== null && isWide(value, ...interval));
    return { value, interval, shares, varies, unclear, disturbed: counted.some(({ headline }) => headline.disturbed), exact: found.every(({ exact }) => exact) };
  };

  // ---- Ranks with ties ----

  const figure = ({ value, interval, disturbed }) => ({ cycles: value, low: interval?.[0] ?? NaN, high: interval?.[1] ?? NaN, disturbed });
  const tie = (a, b, spread) => window.cyclometer.noDifference(figure(a), figure(b), spread);
  const placed = (costs, spread) => {
    const order = costs.map((_, index) => index).sort((a, b) => costs[a].value - costs[b].value);
    const groups = [];
    for (const index of order) {
      if (groups.length && tie(costs[groups.at(-1)[0]], costs[index], spread)) groups.at(-1).push(index);
      else groups.push([index]);
    }
    const ranks = [];
    let before = 0;
    for (const group of groups) {
      for (const index of group) ranks[index] = { rank: before + 1, shared: group.length > 1 };
      before += group.length;
    }
    return ranks;
  };

  // ---- The ranking ----

  const needed = (load, prefix) => new Set([load, oneKey(load), flood(load)].filter(Boolean).flatMap((each) => terms(each)).concat(prefix ? terms(load, prefix) : []).map((term) => term.point));

  // The points that a tuning has not, and that do not lie between others.
  const unknown = ({ tuning, missing }) => [...missing].filter((name) => !estimate(indexOf(tuning), name));

  // A tuning, and how well it serves: it has all points, or they lie between others; its secrets were followed; it was
  // replayed; it costs least; it is the newest.
  const rated = (data, load, tuning, points, withReplay) => {
    const replayed = withReplay && cover(tuning, withReplay);
    const isReplayed = Boolean(replayed && !replayed.missing.size);
    const system = { ...(isReplayed ? replayed : cover(tuning, points)), replayed: isReplayed };
    const [isMeasured, isKnown] = [!system.missing.size, !unknown(system).length];
    const isFollowed = Boolean(load.limits.constant_time && tuning.sizes.some(({ run, name }) => name === "constant_time" && system.runs.includes(run)));
    const cost = isKnown ? parts(system, terms(load)).reduce((sum, { headline, weight }) => sum + weight * center(headline.values, headline.disturbed), 0) : 0;
    return { system, rating: [isMeasured, isKnown, isFollowed, isReplayed, -cost, system.newest].map(Number) };
  };
  const isBetter = (one, other) => {
    const at = one.findIndex((value, index) => value !== other[index]);
    return at >= 0 && one[at] > other[at];
  };

  // Of each system the tuning that serves best.
  const systemsOf = (data, load, names, prefix) => {
    const [points, withReplay] = [needed(load, null), prefix ? needed(load, prefix) : null];
    const chosen = new Map();
    for (const name of names) {
      const several = data.tunings.filter(({ primitive }) => primitive === name).map((tuning) => rated(data, load, tuning, points, withReplay));
      if (several.length) chosen.set(name, several.reduce((a, b) => (isBetter(b.rating, a.rating) ? b : a)).system);
    }
    return chosen;
  };

  // Why a system has no cost: as `cyclometer rank` says it, of what does not lie between measured points either.
  const unmeasured = (system) => {
    const order = (name) => { const [measure, ...rest] = name.split("|"); return `'${measure}', ${rest.join(", ")},`; };
    const [first] = unknown(system).sort((a, b) => (order(a) < order(b) ? -1 : 1));
    const [measure, length, ad, keys] = first.split("|");
    return `measured, but not ${measure} of ${length} bytes${ad === "0" ? "" : ` with ${ad} bytes of associated data`}${keys === "1" ? "" : ` under ${keys} keys`}`;
  };

  // The largest A/A spread of the measures: that of the run if all points are of one, else that of all runs together.
  const spreadOf = (data, points, used) => {
    const measures = new Set([...points].map((name) => name.split("|")[0]));
    const spreads = (used.size === 1 && data.spreads_of_runs[[...used][0]]) || data.spreads;
    const found = Object.entries(spreads).filter(([measure]) => measures.has(measure)).map(([, spread]) => spread);
    return found.length ? { quiet: Math.max(...found.map(({ quiet }) => quiet)), every: Math.max(...found.map(({ every }) => every)) } : null;
  };

  const sizesOf = ({ tuning, runs }, used) => Object.fromEntries(tuning.sizes.filter(({ run }) => runs.includes(run) || used.has(run)).sort((a, b) => a.run - b.run).map(({ name, value }) => [name, value]));

  const entryOf = (data, load, name, facts, system, prefix) => {
    const model = costOf(data, parts(system, terms(load)));
    const replay = system.replayed ? costOf(data, parts(system, terms(load, prefix))) : null;
    return { name, facts, system, model, replay, flood: flood(load) && costOf(data, parts(system, terms(flood(load)))), oneKey: costOf(data, parts(system, terms(oneKey(load)))), bits: bitsLeft(facts, useOf(load)) };
  };

  // {entries, excluded: [[name, reasons]], notes, spread}: systems by name have the facts that they declare.
  const rank = async (data, load, systems) => {
    const prefix = await replayPrefix(load);
    const reasons = new Map(Object.entries(systems).map(([name, facts]) => [name, declaredReasons(load, facts)]));
    const admitted = Object.keys(systems).filter((name) => !reasons.get(name).length);
    const chosen = systemsOf(data, load, admitted, prefix);
    const anyReplayed = [...chosen.values()].some(({ replayed }) => replayed);
    const used = new Set([...chosen.values()].filter(({ missing }) => !missing.size).flatMap(({ runs }) => runs));
    const spread = spreadOf(data, needed(load, anyReplayed ? prefix : null), used);
    const entries = [];
    for (const name of admitted) {
      const system = chosen.get(name);
      if (!system) { reasons.set(name, [data.failures[name] ?? "not measured"]); continue; }
      if (unknown(system).length) { reasons.set(name, [unmeasured(system)]); continue; }
      const entry = entryOf(data, load, name, systems[name], system, prefix);
      entry.sizes = sizesOf(system, used);
      const broken = sizeReasons(load, entry.sizes);
      if (broken.length) reasons.set(name, broken);
      else entries.push(entry);
    }
    for (const entry of entries) entry.cost = entry.replay && !tie(entry.model, entry.replay, spread) ? entry.replay : entry.model;
    placed(entries.map(({ cost }) => cost), spread).forEach((place, index) => Object.assign(entries[index], place));
    for (const entry of entries) {
      const better = entries.filter((other) => (other.bits ?? 0) >= (entry.bits ?? 0) && other.cost.value < entry.cost.value && !tie(entry.cost, other.cost, spread));
      entry.dominatedBy = better.sort((a, b) => a.cost.value - b.cost.value || (a.name < b.name ? -1 : 1))[0]?.name ?? "";
    }
    entries.sort((a, b) => a.cost.value - b.cost.value || (a.name < b.name ? -1 : 1));
    const notes = [
      ...entries.filter(({ replay, cost }) => replay === cost).map(({ name, replay, model }) => { const percent = 100 * (replay.value / model.value - 1); return `${name}: the replay costs ${percent < 0 ? "" : "+"}${percent.toFixed(1)} % of the model, and counts`; }),
      ...entries.flatMap(({ name, facts, bits }) => attackNotes(load, name, facts, bits)),
    ];
    return { entries, excluded: [...reasons].filter(([, several]) => several.length), notes, spread };
  };

  // ---- Where the leader changes ----

  const leaders = (data, entries, load, spread) => {
    const costs = entries.map(({ system }) => costOf(data, parts(system, terms(load))));
    if (costs.includes(null)) return null;
    return placed(costs, spread).flatMap(({ rank }, index) => (rank === 1 ? [entries[index].name] : [])).sort();
  };

  // Where between two workloads two systems cost the same, 0 to 1, with its interval; null if nowhere.
  const crossing = (data, loads, one, other) => {
    const ends = loads.map((load) => terms(load));
    const sides = ends.map((end) => [one, other].map(({ system }) => parts(system, end)));
    if (sides.flat().includes(null)) return null;
    const [first, last] = sides.map(([a, b]) => costOf(data, a).value - costOf(data, b).value);
    if (first * last > 0 || first === last) return null;
    const drawn = sides.map((pair) => pair.map((side) => sums(data, side))).map(([a, b]) => a.map((value, at) => value - b[at]));
    const shares = drawn[0].map((value, at) => Math.min(1, Math.max(0, value / (value - drawn[1][at])))).filter((value) => !Number.isNaN(value)).sort();
    return { value: first / (first - last), interval: [quantile(shares, LOW), quantile(shares, 1 - LOW)] };
  };

  const forgedChanges = (data, load, entries) => {
    if (load.encrypt === 1) return [];
    const ends = [{ ...load, forged: 0 }, { ...load, forged: 1 }];
    const known = entries.slice(1).map((other) => ({ other, ...crossing(data, ends, entries[0], other) })).filter(({ value }) => value >= 0 && value <= 1);
    const near = (several, better) => several.reduce((a, b) => (a && !better(b.value, a.value) ? a : b), null);
    const found = [near(known.filter(({ value }) => value < load.forged), (a, b) => a > b), near(known.filter(({ value }) => value >= load.forged), (a, b) => a < b)];
    return found.filter(Boolean).map(({ other, value, interval }) => ({ variable: "forged share", value, interval, leaders: [other.name] }));
  };

  // Where the leader changes between two workloads, if nobody leads both.
  const changedBetween = (data, entries, spread, variable, ends, place) => {
    const [here, there] = ends.map((load) => leaders(data, entries, load, spread));
    if (!here || !there || here.some((name) => there.includes(name))) return [];
    const [first, last] = ends.map((load) => entries.reduce((a, b) => (costOf(data, parts(b.system, terms(load))).value < costOf(data, parts(a.system, terms(load))).value ? b : a)));
    const found = crossing(data, ends, first, last);
    return found ? [{ variable, value: place(found.value), interval: found.interval.map(place), leaders: [last.name] }] : [];
  };

  const changes = (data, load, { entries, spread }) => {
    if (entries.length < 2) return [];
    const found = forgedChanges(data, load, entries);
    const lengths = [...new Set(load.packets.map(({ length }) => length))].sort((a, b) => a - b);
    const only = lengths.map((length) => {
      const own = load.packets.filter((packet) => packet.length === length);
      const total = own.reduce((sum, { share }) => sum + share, 0);
      const alone = { ...load, packets: own.map((packet) => ({ ...packet, share: packet.share / total })) };
      return { length, alone, names: leaders(data, entries, alone, spread) };
    });
    if (new Set(only.map(({ names }) => String(names))).size > 1) {
      found.push(...only.filter(({ names }) => names).map(({ length, names }) => ({ variable: "bytes", value: length, interval: null, leaders: names })));
      for (const [at, low] of only.slice(0, -1).entries()) {
        const high = only[at + 1];
        found.push(...changedBetween(data, entries, spread, "from bytes", [low.alone, high.alone], (share) => low.length + share * (high.length - low.length)));
      }
    }
    const [single, here] = [leaders(data, entries, oneKey(load), spread), leaders(data, entries, load, spread)];
    if (load.keys > 1 && single && String(single) !== String(here)) {
      found.push({ variable: "keys", value: 1, interval: null, leaders: single });
      found.push(...changedBetween(data, entries, spread, "from keys", [oneKey(load), load], (share) => load.keys ** share));
    }
    return found;
  };

  window.cyclometer.ranking = { material, rank, changes, TERMS };
})();
