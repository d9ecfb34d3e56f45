// Options as buttons: to be clicked, found by typing, or picked by their number.

import { ICONS, fill, h, icon, swatch } from "./dom.js";

const MANY = 14;
const DIGITS = 9;

/**
 * A list of options; `pick` gets the one that was meant. With `toggles` they stay pressed, with
 * `numbers` they are small, `sort` names the list. What `table` knows of an option stands beside it.
 */
export function options(found, pick, { table, toggles = false, numbers = false, sort = "" }) {
  const list = h("ul", { class: `options ${sort} ${numbers ? "numbers" : ""}`, onkeydown: (event) => arrows(event, list) });
  const draw = (wanted) => {
    const shown = found.filter((one) => normal(one.label).includes(normal(wanted)));
    fill(list, shown.map((one, index) => h("li", {}, button(one, index, pick, table, toggles), info(one, table))));
    if (!shown.length) list.append(h("li", { class: "empty" }, "Nothing here is called so."));
  };
  draw("");
  if (found.length <= MANY || numbers) return list;
  const filter = h("input", {
    type: "search", class: "filter", placeholder: `Find one of ${found.length}`, "aria-label": "Find an option",
    oninput: (event) => draw(event.target.value),
    onkeydown: (event) => {
      if (event.key === "Enter") list.querySelector("button.option")?.click();
      if (event.key === "ArrowDown") list.querySelector("button.option")?.focus();
    },
  });
  return h("div", { class: "filtered" }, filter, list);
}

function button(one, index, pick, table, toggles) {
  const colour = one.owner ? table.ownerColour(one.owner) : "";
  return h("button", {
    type: "button", class: "option", disabled: Boolean(one.closed), "data-value": String(one.value), "data-place": one.place,
    "aria-pressed": toggles ? String(Boolean(one.chosen)) : null,
    "aria-keyshortcuts": index < DIGITS ? String(index + 1) : null,
    onclick: () => pick(one),
    onpointerenter: () => one.place && table.board.mark?.(one.place),
  },
  toggles ? h("span", { class: "box", "aria-hidden": "true" }, one.chosen ? icon(ICONS.check, 14) : null) : null,
  colour ? swatch(colour) : null,
  h("span", { class: "label" }, one.label),
  one.detail !== undefined ? h("span", { class: "detail" }, one.detail) : told("span", "detail", one, table));
}

/** What the table knows of an option now. `tellAgain` tells it anew where it stands. */
export function told(tag, sort, one, table) {
  return one.place || one.thing ? h(tag, { class: `${sort} told`, "data-place": one.place, "data-thing": one.thing }, table.details(one)) : null;
}

/** Nothing else is drawn anew: buttons stay where they are, under the finger of whoever is about to press one. */
export function tellAgain(element, table) {
  for (const one of element.querySelectorAll(".told")) one.textContent = table.details(one.dataset);
}

function info(one, table) {
  if (!one.thing) return null;
  return h("button", {
    type: "button", class: "tool info", "aria-label": `About ${one.label}`, title: `About ${one.label}`,
    onclick: () => table.card(one.thing),
  }, icon(ICONS.help, 18));
}

function arrows(event, list) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = [...list.querySelectorAll("button.option:not(:disabled)")];
  const at = all.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  all[(at + step + all.length) % all.length].focus();
}

const normal = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().trim();
