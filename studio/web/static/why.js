// Reasons as the rules give them: what ran, what decided, where it is written.

import { address } from "./api.js";
import { dialog, h } from "./dom.js";

/** `{text, source, parts: [{text, holds, source, parts}]}` as a tree. */
export function explanation(found, table) {
  return h("div", { class: "explanation" },
    found.text ? h("p", {}, found.text) : null,
    found.source ? sourceLine(found.source, table) : null,
    found.parts?.length ? h("ul", { class: "reasons" }, found.parts.map((one) => reason(one, table))) : null);
}

function reason(one, table) {
  const sign = { true: "✓", false: "✗" }[String(one.holds)];
  const head = [
    sign ? h("span", { class: one.holds ? "holds" : "fails", "aria-label": one.holds ? "holds" : "does not hold" }, sign) : null,
    h("span", {}, one.text),
    one.source ? sourceLine(one.source, table) : null,
  ];
  if (!one.parts?.length) return h("li", {}, head);
  return h("li", {}, h("details", { open: true }, h("summary", {}, head), h("ul", {}, one.parts.map((part) => reason(part, table)))));
}

/** Where a rule stands; a link into the workshop. */
export function sourceLine(source, table) {
  if (typeof source === "string") return source ? h("div", { class: "cite" }, source) : null;
  const told = [source.cites, source.where].filter(Boolean).join("  ·  ");
  if (!told && !source.rule) return null;
  const named = /^[\w.]+( \/ .+)?$/.test(source.rule || "");
  return h("div", { class: "cite" }, named ? h("a", { href: ruleAddress(table.stack, source.rule), target: "_blank" }, source.rule) : null, told ? ` ${told}` : "");
}

/** The address of a rule in the workshop. */
export function ruleAddress(stack, rule) {
  return address(`/workshop?stack=${encodeURIComponent(stack)}&rule=${encodeURIComponent(rule)}`);
}

/** A window about the rule behind something. */
export function ruleWindow(source, table, ...more) {
  return dialog(source.rule || "The rule",
    source.cites ? h("p", {}, h("b", {}, source.cites)) : null,
    source.where ? h("p", { class: "cite" }, `Written in ${source.where}`) : null,
    source.rule ? h("p", {}, h("a", { href: ruleAddress(table.stack, source.rule), target: "_blank" }, "Look at the rule in the workshop")) : null,
    ...more);
}

/** A card of a thing: `{title, fields: [{label, text}], entries: [{label, text, source}]}`. */
export function cardWindow(card, told, table) {
  return dialog(card.title,
    told.length ? h("div", { class: "figures" }, told.map((one) => h("div", { class: "figure" }, h("b", {}, one.value ?? "?"), h("span", {}, one.title)))) : null,
    card.fields.length ? h("dl", { class: "fields" }, card.fields.map((one) => [h("dt", {}, one.label), h("dd", {}, one.text)])) : null,
    card.entries.length ? h("ul", { class: "entries" }, card.entries.map((one) => h("li", {},
      one.label ? h("b", {}, one.label) : null, h("p", {}, one.text), one.source ? sourceLine(one.source, table) : null))) : null,
    card.source ? sourceLine(card.source, table) : null);
}
