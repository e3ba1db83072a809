// SPDX-License-Identifier: MIT OR Apache-2.0
// The security page: hides rows below the minimum level; the URL fragment holds the choice.
"use strict";

(() => {
  const form = document.getElementById("levels");
  if (!form) return;
  const field = (name) => form.elements[name];
  const bits = (text) => Math.max(0, Number.parseInt(text, 10) || 0);
  form.hidden = false;

  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const name of ["bits", "quantum"]) if (document.activeElement !== field(name)) field(name).value = String(bits(given.get(name)));
    field("unbroken").checked = given.get("unbroken") === "yes";
    show();
  };

  const show = () => {
    const least = { bits: bits(field("bits").value), quantum: bits(field("quantum").value) };
    let left = 0;
    for (const section of document.querySelectorAll("section.levels")) {
      const rows = [...section.querySelectorAll("tbody tr")];
      for (const row of rows) {
        const { dataset } = row;
        const strong = ["bits", "quantum"].every((name) => !least[name] || (dataset[name] !== "" && Number(dataset[name]) >= least[name]));
        row.hidden = !strong || (field("unbroken").checked && !dataset.unbroken);
      }
      const shown = rows.filter((row) => !row.hidden).length;
      left += shown;
      section.querySelector("figure").hidden = !shown;
      section.querySelector(".empty").hidden = Boolean(shown);
    }
    document.getElementById("level-count").textContent = `${left} ${left === 1 ? "system" : "systems"}`;
  };

  const change = () => {
    const asked = { bits: bits(field("bits").value), quantum: bits(field("quantum").value), unbroken: field("unbroken").checked ? "yes" : "" };
    history.replaceState(null, "", `#${new URLSearchParams(Object.entries(asked).filter(([, value]) => value))}`);
    show();
  };

  form.addEventListener("input", change);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", read);
  read();
})();
