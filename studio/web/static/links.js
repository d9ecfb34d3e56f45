// Links with keys: what stands behind the sign never leaves the browser.

import { address } from "./api.js";
import { ICONS, h, notice, tool } from "./dom.js";

export function seatLink(table, ...keys) {
  return `${location.origin}${address(`/t/${table}`)}#${keys.filter(Boolean).join(".")}`;
}

/** A link with a button that copies it. */
export function copied(link, label = "Link") {
  const field = h("input", { type: "text", readonly: true, value: link, "aria-label": label, onclick: (event) => event.target.select() });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(link);
      notice("Copied.", "", "told");
    } catch {
      document.execCommand("copy");
    }
  };
  return h("span", { class: "copied" }, field, tool(ICONS.link, `Copy: ${label}`, copy));
}
