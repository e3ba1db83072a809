// SPDX-License-Identifier: MIT OR Apache-2.0
// Polls for a new version of the report and reloads it at the same scroll position.
"use strict";

(() => {
  const address = new URL(`${document.currentScript.dataset.root}live.json`, location.href);
  const status = document.getElementById("live");
  const storageKey = `cyclometer ${location.pathname}`;
  let version = null;
  scrollTo(0, Number(sessionStorage.getItem(storageKey) ?? 0));
  sessionStorage.removeItem(storageKey);

  const ask = async () => {
    try {
      const now = await (await fetch(address)).json();
      version ??= now.version;
      // Do not reload while somebody types.
      const busy = document.activeElement?.matches("input:not([type=checkbox]), select");
      if (now.version !== version && !busy) {
        sessionStorage.setItem(storageKey, String(scrollY));
        location.reload();
        return;
      }
      status.textContent = now.trouble || "Live: this page follows the run.";
    } catch {
      status.textContent = "No longer live: the server has stopped.";
    }
    setTimeout(ask, 2000);
  };
  ask();
})();
