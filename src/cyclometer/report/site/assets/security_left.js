// SPDX-License-Identifier: MIT OR Apache-2.0
// The security that is left of a system under a workload, by the rules of docs/rank.md.
"use strict";
window.cyclometer = window.cyclometer || {};

(() => {
  const BLOCK = 16; // bytes
  const BYTES_EACH = { bits: 1 / 8, bytes: 1, words: 4, blocks: BLOCK };
  const USED_AS_SPECIFIED = ["nonce-respecting", "weak keys", "many targets"];
  const COUNTED = { "nonce-respecting": USED_AS_SPECIFIED, "misuse-resistant": [...USED_AS_SPECIFIED, "nonce reuse"], "related-key": [...USED_AS_SPECIFIED, "related keys"] };

  const grouped = (number) => number.toLocaleString("en-US");
  const exponent = (power) => Number(power.split(" ")[0].replace("2^", ""));
  const blocks = (length) => Math.ceil(length / BLOCK);

  // What an attacker sees under one key.
  const useOf = (load) => {
    const mean = (of) => load.packets.reduce((sum, packet) => sum + packet.share * of(packet), 0);
    const packets = load.packetsPerKey;
    return {
      model: load.security.model, asOf: load.asOf, packets,
      bytes: packets * mean(({ length }) => length),
      blocks: packets * mean(({ length, ad }) => blocks(length) + blocks(ad)),
      forgeries: packets * (1 - load.encrypt) * load.forged,
      longestBlocks: Math.max(1, ...load.packets.map(({ length, ad }) => blocks(length) + blocks(ad))),
    };
  };

  const exceeds = (amount, use) => {
    const unit = amount.split(" ")[1];
    const available = unit === "packets" ? use.packets : unit === "blocks" ? use.blocks : use.bytes / BYTES_EACH[unit];
    return exponent(amount) > Math.log2(Math.max(available, 1));
  };
  const isKnown = (attack, use) => use.asOf === null || (attack.published ?? `${attack.year ?? "0001"}-01-01`) <= use.asOf;
  const discounted = (attack, use) => {
    const model = attack.model ?? "nonce-respecting";
    if (!COUNTED[use.model].includes(model)) return `its model is ${model}`;
    return attack.data && attack.keys !== "many" && exceeds(attack.data, use) ? `it needs ${attack.data} under one key` : "";
  };
  const remaining = (facts, use) => {
    if (facts.security_bits === undefined) return null;
    const counted = (facts.attacks ?? []).filter((attack) => isKnown(attack, use) && !discounted(attack, use));
    return Math.min(facts.security_bits, ...counted.map((attack) => attack.remaining_bits));
  };
  const remainingQuantum = (facts, use) => {
    if (facts.security_bits_quantum === undefined) return null;
    const classical = remaining(facts, use);
    return classical === null ? facts.security_bits_quantum : Math.min(facts.security_bits_quantum, classical);
  };
  const lossBits = (facts, use) => {
    if (facts.block_bits === undefined) return Infinity;
    const count = (use.blocks * BLOCK * 8) / facts.block_bits;
    return Math.max(0, facts.block_bits + 1 - 2 * Math.log2(Math.max(count, 1)));
  };
  const forgeryExponent = (facts, use) => {
    const tag = 8 * facts.tag_bytes;
    const one = facts.forgery_bits === undefined ? -tag : Math.max(-tag, Math.log2(use.longestBlocks) - facts.forgery_bits);
    return Math.min(0, one + Math.log2(Math.max(use.forgeries, 1)));
  };
  const bitsLeft = (facts, use) => {
    const [left, loss] = [remaining(facts, use), lossBits(facts, use)];
    return left === null || loss === Infinity ? left : Math.min(left, Math.trunc(loss));
  };

  // Why a system cannot carry the packets, or is not secure enough by what it declares.
  const declaredReasons = (load, facts) => {
    const use = useOf(load);
    const [longest, longestAd] = [Math.max(...load.packets.map(({ length }) => length)), Math.max(...load.packets.map(({ ad }) => ad))];
    const reasons = [];
    if (longestAd && !facts.associated_data) reasons.push("takes no associated data");
    if (facts.max_bytes !== undefined && longest > facts.max_bytes) reasons.push(`takes at most ${grouped(facts.max_bytes)} bytes, not ${grouped(longest)}`);
    if (reasons.length) return reasons;
    const needed = load.security;
    const [left, quantum, forgery] = [bitsLeft(facts, use), remainingQuantum(facts, use), forgeryExponent(facts, use)];
    if (load.asOf && facts.year && facts.year > Number(load.asOf.slice(0, 4))) reasons.push(`published in ${facts.year}`);
    if (needed.bits && (left === null || left < needed.bits)) reasons.push(`bits: ${left === null ? "no level is declared" : `${left} of ${needed.bits} left`}`);
    if (needed.quantum_bits && (quantum ?? 0) < needed.quantum_bits) reasons.push(`quantum_bits: ${quantum === null ? "no level is declared" : `${quantum} of ${needed.quantum_bits}`}`);
    if (needed.model === "misuse-resistant" && facts.model !== needed.model) reasons.push("model: claims nothing if a nonce repeats");
    if (needed.forgery && forgery > exponent(needed.forgery)) reasons.push(`forgery: up to 2^${forgery.toFixed(0)} over a key's life, not ${needed.forgery}`);
    if (facts.data_limit && !exceeds(facts.data_limit, use)) reasons.push(`data: more than ${facts.data_limit} under one key (${facts.data_limit_source})`);
    return reasons;
  };

  // Which limits the chosen tuning breaks.
  const sizeReasons = (load, sizes) => {
    const stacks = Object.entries(sizes).filter(([name]) => name.endsWith("stack_bytes")).map(([, value]) => value);
    const known = { code_bytes: window.cyclometer.codeBytes(sizes), expanded_key_bytes: sizes.expanded_key_bytes, stack_bytes: stacks.length ? Math.max(...stacks) : undefined };
    const reasons = Object.entries(known)
      .filter(([name, size]) => load.limits[name] !== null && (size === undefined || size > load.limits[name]))
      .map(([name, size]) => `${name}: ${size === undefined ? "unknown" : grouped(size)}, not ${grouped(load.limits[name])}`);
    if (load.limits.constant_time && sizes.constant_time !== 1) reasons.push(`constant_time: ${sizes.constant_time === undefined ? "not checked" : "depends on secrets"}`);
    return reasons;
  };

  // The attacks that would leave less than what is shown, and why they do not count.
  const attackNotes = (load, name, facts, bits) => {
    const use = useOf(load);
    return (facts.attacks ?? [])
      .filter((attack) => discounted(attack, use) && bits !== null && attack.remaining_bits < bits && isKnown(attack, use))
      .map((attack) => `${name}: ${attack.breaks} with ${attack.remaining_bits} bits left (${attack.who.join(", ")} ${attack.year}) does not count: ${discounted(attack, use)}${attack.disputed ? `; disputed: ${attack.disputed}` : ""}`);
  };

  window.cyclometer.securityLeft = { useOf, bitsLeft, declaredReasons, sizeReasons, attackNotes };
})();
