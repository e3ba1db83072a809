// SPDX-License-Identifier: MIT OR Apache-2.0
// Asks now and then whether the report was made again, and shows the new one at the same place.
"use strict";

(() => {
  const address = new URL(`${document.currentScript.dataset.root}live.json`, location.href);
  const status = document.getElementById("live");
  const place = `cyclometer ${location.pathname}`;
  let version = null;
  scrollTo(0, Number(sessionStorage.getItem(place) ?? 0));
  sessionStorage.removeItem(place);

  const ask = async () => {
    try {
      const now = await (await fetch(address)).json();
      version ??= now.version;
      // Not under the hands of somebody who types.
      const busy = document.activeElement?.matches("input:not([type=checkbox]), select");
      if (now.version !== version && !busy) {
        sessionStorage.setItem(place, String(scrollY));
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
