// SPDX-License-Identifier: MIT OR Apache-2.0
// Tables: sort by a click on a column heading, copy as text for a spreadsheet, show the first rows of a long table,
// filter by name; the search field of every page leads to the filtered list of systems: systems.html#find=aes
"use strict";
window.cyclometer = window.cyclometer || {};

(() => {
  const value = (row, column) => {
    const cell = row.cells[column];
    const text = (cell.dataset.value ?? cell.textContent).trim();
    const number = Number(text.replace(/[\u202f\u00a0,]/g, "").replace(/[%×]$/, ""));
    return text === "" || text === "–" ? null : Number.isNaN(number) ? text : number;
  };

  // Missing values come last in either direction.
  const compare = (a, b, direction) => {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return direction * (a - b);
    return direction * String(a).localeCompare(String(b), "en", { numeric: true });
  };

  const sort = (table, head) => {
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, head.cellIndex), row]);
    rows.sort(([a], [b]) => compare(a, b, direction));
    body.append(...rows.map(([, row]) => row));
  };

  const copy = async (table, button) => {
    const lines = [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim().replace(/\s+/g, " ")).join("\t"));
    button.textContent = (await window.cyclometer.toClipboard(lines.join("\n"))) ? "Copied" : "Could not copy";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };

  // The deprecated clipboard API, where the new one is not allowed.
  const toClipboardByCommand = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };

  window.cyclometer.toClipboard = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return toClipboardByCommand(text);
    }
  };

  document.addEventListener("click", (event) => {
    const head = event.target.closest("table.sortable thead th");
    if (head && event.target.closest("button")) sort(head.closest("table"), head);
    const button = event.target.closest("button.copy");
    if (button) copy(button.closest("figure").querySelector("table"), button);
  });

  const LONG = 15;

  // A long table shows its first rows, in the order it is sorted by, and a button for the others.
  const shorten = (table) => {
    const rows = table.tBodies[0]?.rows.length ?? 0;
    if (rows <= LONG + 3) return;
    table.classList.add("short");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "more";
    const label = () => { button.textContent = table.classList.contains("short") ? `Show all ${rows}` : `Show the first ${LONG}`; };
    button.addEventListener("click", () => { table.classList.toggle("short"); label(); });
    label();
    table.closest("figure").append(button);
  };

  const longTables = [...document.querySelectorAll("main table.sortable")].filter((table) => table.tBodies[0]?.rows.length > LONG && table.querySelector("tbody th") && !table.closest(".levels"));

  const keep = (text) => {
    for (const table of longTables) {
      table.classList.toggle("filtered", text !== "");
      for (const row of table.tBodies[0].rows) row.hidden = text !== "" && !row.querySelector("th")?.textContent.toLowerCase().includes(text);
    }
  };

  const addFilter = () => {
    if (!longTables.length) return;
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = "part of a name";
    const label = document.createElement("label");
    label.append("Show only ", field);
    const line = document.createElement("p");
    line.className = "filter";
    line.append(label);
    longTables[0].closest("section, div[id], figure").before(line);
    const follow = () => {
      const given = new URLSearchParams(location.hash.slice(1)).get("find");
      if (given === null) return;
      field.value = given;
      keep(given.trim().toLowerCase());
    };
    field.addEventListener("input", () => keep(field.value.trim().toLowerCase()));
    window.addEventListener("hashchange", follow);
    follow();
  };

  const search = document.getElementById("search");
  search?.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = `${search.getAttribute("action")}#${new URLSearchParams({ find: search.elements.find.value })}`;
  });
  if (search) search.hidden = false;
  for (const table of longTables) shorten(table);
  addFilter();

  window.cyclometer.ready = (root) => {
    for (const button of root.querySelectorAll("button.copy")) button.hidden = false;
  };
  window.cyclometer.ready(document);
})();
