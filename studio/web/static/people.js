// Everybody at the table: who they are, who is waited for, what is written down of them.

import { dialog, fill, h, swatch } from "./dom.js";
import { pieceSign } from "./pieces.js";

const STATES = {
  over: "The game is over.",
  ended: "The host has ended this table.",
  stopped: "The rules cannot go on here.",
};

/** A row of everybody, with who is waited for. */
export function peopleBar(view, open) {
  const waiting = new Set(view.waiting);
  return h("ul", { class: "people", "aria-label": "Everybody at the table" },
    view.owners.filter((one) => one.player).map((one) => h("li", {},
      h("button", {
        type: "button", class: waiting.has(one.id) ? "person waits" : "person", "data-seat": one.id,
        onclick: () => open(one.id),
      },
      swatch(one.colour),
      h("span", { class: "person-name" }, one.title),
      one.id === view.seat ? h("span", { class: "badge you" }, "you") : null,
      waiting.has(one.id) ? [h("span", { class: "dots", "aria-hidden": "true" }, "…"), h("span", { class: "sr" }, ", is waited for")] : null))));
}

/** What everybody is waiting for, in a sentence. */
export function waitingFor(view) {
  const named = (id) => view.owners.find((one) => one.id === id)?.title || id;
  if (view.state !== "playing") return STATES[view.state] || "";
  const others = view.waiting.filter((id) => id !== view.seat).map(named);
  if (!others.length) return "";
  const listed = others.length > 4 ? `${others.slice(0, 3).join(", ")} and ${others.length - 3} others` : join(others);
  return `Waiting for ${listed}.`;
}

const join = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);

/** What somebody has put on the table: an offer, an answer, whatever the rules keep together. */
function bundles(view, id) {
  return (view.notes[id] || []).filter((one) => one.parts);
}

const listed = (found) => h("dl", {}, found.map((one) => [h("dt", {}, capital(one.title)), h("dd", {}, one.text || "yes")]));

function named(view, id) {
  const owner = view.owners.find((one) => one.id === id);
  return owner ? h("h4", {}, swatch(owner.colour), owner.title) : h("h4", {}, "The table");
}

/** All that the rules have noted of some: what is kept together first, the rest below. */
export function notes(view, ids) {
  const known = ids.filter((id) => view.notes[id]?.length);
  const rest = known.filter((id) => view.notes[id].some((one) => !one.parts));
  return [
    known.flatMap((id) => bundles(view, id).map((one) => h("section", { class: "noted bundle", "data-seat": id },
      h("header", {}, named(view, id), h("span", { class: "badge" }, capital(one.title))), listed(one.parts)))),
    rest.length ? h("details", { class: "also", open: known.every((id) => !bundles(view, id).length) }, h("summary", {}, "Also noted"),
      rest.map((id) => h("section", { class: "noted", "data-seat": id }, named(view, id), listed(view.notes[id].filter((one) => !one.parts))))) : null,
  ].flat().filter(Boolean);
}

/** A window about somebody. */
export function about(view, id, table) {
  const owner = view.owners.find((one) => one.id === id);
  const { columns, rows } = view.standings;
  const numbers = rows[id] ? columns.map((one, index) => h("div", { class: "figure" },
    h("b", {}, rows[id][index] ?? "?"), h("span", {}, one.title))) : [];
  const held = view.holdings[id] || [];
  const off = view.pieces.filter((one) => one.owner === id && !table.spots[one.place]);
  const body = h("div", { class: "about" },
    h("div", { class: "figures" }, numbers),
    owner.name ? h("p", { class: "soft" }, `Played by ${owner.name}.`) : null,
    owner.plays ? h("p", {}, h("button", { type: "button", class: "quiet", onclick: () => table.card(owner.plays) }, `About ${owner.title}`)) : null,
    off.length ? [h("h3", {}, "Beside the board"), h("ul", { class: "beside" }, off.map((one) => h("li", {},
      pieceSign(table, one), `${one.number} in ${table.placeTitle(one.place)}`)))] : null,
    held.length ? [h("h3", {}, "Holds"), h("ul", { class: "chips" }, held.map((thing) => h("li", {},
      h("button", { type: "button", class: "chip", onclick: () => table.card(thing) }, table.title(thing)))))] : null,
    notes(view, [id]));
  return dialog(owner.title, body);
}

/** Fill a list of what everybody has on the table. */
export function showNotes(element, view) {
  const ids = [...view.owners.filter((one) => one.player).map((one) => one.id), ""];
  const found = notes(view, ids);
  const open = element.querySelector("details.also")?.open;
  fill(element, found.length ? found : h("p", { class: "empty" }, "Nothing is noted of anybody."));
  if (open !== undefined) element.querySelector("details.also")?.toggleAttribute("open", open);
  return ids.reduce((sum, id) => sum + bundles(view, id).length, 0);
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
