// Cards of one's own, those that lie open, and how many others have.

import { fill, h, swatch } from "./dom.js";

/** Cards of one pile, the same ones together. */
function grouped(cards) {
  const groups = new Map();
  for (const card of cards) {
    if (!groups.has(card.thing)) groups.set(card.thing, { ...card, number: 0 });
    groups.get(card.thing).number += 1;
  }
  return [...groups.values()];
}

function card(one, table) {
  const told = table.told(one.thing);
  return h("li", {}, h("button", {
    type: "button", class: "card", "data-thing": one.thing, "data-depth": String(Math.min(one.number, 4)), onclick: () => table.card(one.thing),
    "aria-label": `${one.number} ${one.label}${told.length ? `, ${told.map(words).join(", ")}` : ""}`,
  },
  h("span", { class: "card-name" }, one.label, one.number > 1 ? h("span", { class: "times" }, `${one.number}×`) : null),
  told.length ? h("span", { class: "worth" }, told.map(words).join(" · ")) : null));
}

const words = (one) => `${one.title} ${one.value ?? "?"}`;

/** Show all piles that say something to the seat. */
export function showHand(element, view, table) {
  const own = view.piles.filter((pile) => pile.of === view.seat && pile.cards && pile.seen !== "open");
  const open = view.piles.filter((pile) => pile.cards?.length && !own.includes(pile));
  const others = view.piles.filter((pile) => !pile.cards && (pile.size || pile.some));
  const held = view.holdings[view.seat] || [];
  fill(element,
    own.map((pile) => h("section", { class: "pile", "data-pile": pile.place },
      h("h3", {}, pile.title, h("span", { class: "badge" }, pile.cards.length || "empty")),
      pile.cards.length ? h("ul", { class: "cards" }, grouped(pile.cards).map((one) => card(one, table))) : null)),
    held.length ? h("section", { class: "pile" }, h("h3", {}, "Held", h("span", { class: "badge" }, held.length)),
      h("ul", { class: "chips" }, held.map((thing) => h("li", {}, h("button", { type: "button", class: "chip", onclick: () => table.card(thing) }, table.title(thing)))))) : null,
    open.length || others.length ? h("details", { class: "piles", open: opened(element, own, table) }, h("summary", {}, "Piles on the table"),
      open.map((pile) => h("section", { class: "pile" }, h("h3", {}, pileTitle(pile, view, table), h("span", { class: "badge" }, pile.cards.length)),
      h("ul", { class: "cards small" }, grouped(pile.cards).map((one) => card(one, table))))),
      others.length ? h("section", { class: "pile" }, h("h3", {}, "Face down"),
        h("ul", { class: "covered" }, others.map((pile) => h("li", {}, pileTitle(pile, view, table), h("b", {}, pile.size ?? "some"))))) : null) : null);
  if (!element.children.length) fill(element, h("p", { class: "empty" }, "No cards yet, and nothing held."));
}

/** Piles stay as they were; at first they are open where there is room for them. */
function opened(element, own, table) {
  const before = element.querySelector("details.piles");
  return before ? before.open : !own.length || !table.rules.board;
}

function pileTitle(pile, view, table) {
  const owner = view.owners.find((one) => one.id === pile.of);
  return h("span", { class: "pile-title" }, owner ? swatch(owner.colour) : null,
    [owner?.title ?? (pile.of ? table.placeTitle(pile.of) : ""), pile.title].filter(Boolean).join(": "));
}
