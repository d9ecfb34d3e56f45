// What a ruleset declares: a list to search, and one declaration at a time.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { into, sentence } from "./workshop.js";

const MOST = 400;

export function rulebook(shop, goTo) {
  const asked = new URLSearchParams(location.search);
  const element = shop.parts.rules;
  return into(element, async () => {
    const outline = await get(`/api/workshop/outline?stack=${encodeURIComponent(shop.stack)}`);
    const list = h("div", { class: "outline-list" });
    const shown = h("article", { class: "declaration sheet", "aria-live": "polite" });
    const look = (word, path) => {
      goTo({ word, rule: path });
      into(shown, async () => {
        const query = new URLSearchParams({ stack: shop.stack, word: word || "", path });
        fill(shown, ...declaration(await get(`/api/workshop/declaration?${query}`), look));
        shown.scrollTop = 0;
        if (matchMedia("(max-width: 820px)").matches) shown.scrollIntoView({ block: "start" });
      });
    };
    const draw = (wanted) => fill(list, ...sections(outline, wanted.trim().toLowerCase(), look));
    const search = h("input", { type: "search", placeholder: `Find in ${outline.title}`, "aria-label": "Find a declaration", oninput: (event) => draw(event.target.value) });
    draw("");
    fill(element, h("div", { class: "outline" },
      h("nav", { class: "outline-side sheet", "aria-label": "Declarations" }, search, list), shown));
    if (asked.get("rule")) look(asked.get("word"), asked.get("rule"));
    else fill(shown, ...cover(outline));
  });
}

function cover(outline) {
  const count = outline.sections.reduce((sum, one) => sum + one.items.length, 0);
  return [h("h2", {}, outline.title), h("p", { class: "soft" }, `${outline.players} · ${count} declarations in ${outline.packs.length} packs`),
    h("ul", { class: "packs" }, outline.packs.map((one) => h("li", {}, h("b", {}, one.title), " ", h("small", {}, `${one.id} ${one.version}`)))),
    h("p", {}, "Choose a declaration to see what it says, who changes it and where it stands in the rulebook.")];
}

function sections(outline, wanted, look) {
  let left = MOST;
  return outline.sections.map((section) => {
    const found = section.items.filter((one) => !wanted || `${one.title} ${one.path} ${one.cites}`.toLowerCase().includes(wanted)).slice(0, Math.max(left, 0));
    left -= wanted ? found.length : 0;
    if (!found.length) return null;
    return h("details", { open: Boolean(wanted) }, h("summary", {}, section.title, " ", h("span", { class: "badge" }, found.length)),
      h("ul", {}, found.map((one) => h("li", {}, h("button", { type: "button", class: "entry", "data-path": one.path, onclick: () => look(section.word, one.path) },
        h("span", {}, one.title), h("small", {}, one.path === one.title ? "" : one.path))))));
  });
}

function declaration(one, look) {
  return [
    h("header", {}, h("p", { class: "kicker" }, one.word), h("h2", {}, one.title), h("p", { class: "cite" }, [one.cites, one.where].filter(Boolean).join("  ·  "))),
    one.comment ? h("p", { class: "comment" }, one.comment) : null,
    one.card ? card(one.card, look) : null,
    one.said.length ? [h("h3", {}, "In words"), steps(one.said, look)] : null,
    one.changes.length ? [h("h3", {}, "Changed by"), h("ul", { class: "changes" }, one.changes.map((change) => h("li", {},
      h("b", {}, change.by), h("code", {}, change.text), h("small", {}, change.where))))] : null,
    h("h3", {}, "As it stands after linking"),
    h("table", { class: "source" }, h("tbody", {}, one.text.map((row) => h("tr", {}, h("td", {}, h("pre", {}, row.line)), h("td", { class: "origin" }, row.origin))))),
    one.places.length ? h("details", {}, h("summary", {}, `Spoken of in ${one.places.length} places`),
      h("ul", { class: "places-list" }, one.places.map((place) => h("li", {}, h("small", {}, place.where), h("code", {}, place.line))))) : null,
    one.tags.length ? h("p", { class: "tags" }, one.tags.map((tag) => h("span", { class: "badge" }, tag))) : null,
  ];
}

/** A card of a thing with what it says. */
export function card(one, look) {
  return h("section", { class: "rule-card" }, h("h3", {}, one.title),
    one.fields.length ? h("dl", { class: "fields" }, one.fields.map((field) => [h("dt", {}, field.label), h("dd", {}, sentence(field.pieces, look))])) : null,
    steps(one.entries, look));
}

function steps(found, look) {
  if (!found.length) return null;
  return h("ul", { class: "steps-list" }, found.map((one) => h("li", {}, one.label ? h("b", { class: "step-label" }, one.label) : null, " ", sentence(one.pieces, look), steps(one.inner || [], look))));
}
