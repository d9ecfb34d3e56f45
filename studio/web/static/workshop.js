// The workshop: a ruleset looked into, two side by side, scenarios step by step, findings while one writes.

import { Wrong, address, get } from "./api.js";
import { fill, h, tabs } from "./dom.js";
import { differences } from "./differences.js";
import { findings } from "./findings.js";
import { rulebook } from "./rulebook.js";
import { scenarioList } from "./scenarios.js";

/** Something being worked out, or what went wrong with it. */
export async function into(element, work, told = "Working it out …") {
  const seconds = h("span", { class: "seconds", "aria-hidden": "true" });
  fill(element, h("p", { class: "empty working", role: "status" }, told, seconds));
  const began = Date.now();
  const timer = setInterval(() => { seconds.textContent = ` ${Math.round((Date.now() - began) / 1000)} s`; }, 1000);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    fill(element, h("div", { class: "sheet card failed", role: "alert" }, h("p", {}, error.message), error.source ? h("p", { class: "cite" }, error.source) : null));
  } finally {
    clearInterval(timer);
  }
}

/** A field for a ruleset: packs joined by `+`, with all that are known to choose from. */
export function stackField(label, value, packs, chosen) {
  const id = `stacks-${label.replaceAll(" ", "-")}`;
  const games = packs.filter((one) => one.game).map((one) => one.id);
  const stacks = [...games, ...packs.filter((one) => !one.game && one.on.length).flatMap((one) => games.slice(0, 4).map((game) => `${game}+${one.id}`))];
  const field = h("input", { type: "text", value, list: id, "aria-label": label, spellcheck: "false", autocomplete: "off", name: "stack",
    onchange: (event) => chosen(event.target.value.trim()) });
  return h("label", { class: "stack-field" }, h("span", {}, label), field, h("datalist", { id }, stacks.map((one) => h("option", { value: one }))));
}

export async function workshopPage(page, chrome) {
  const asked = new URLSearchParams(location.search);
  const { packs } = await get("/api/workshop/packs");
  const first = asked.get("stack") || packs.find((one) => one.game)?.id || "";
  const parts = {
    rules: h("section", { class: "shop-page" }), diff: h("section", { class: "shop-page" }),
    scenarios: h("section", { class: "shop-page" }), findings: h("section", { class: "shop-page" }),
  };
  const shop = { stack: first, packs, parts, stop: () => {}, chrome };
  const goTo = (changes) => {
    const now = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value) now.set(name, value);
      else now.delete(name);
    }
    history.replaceState(null, "", address(`/workshop?${now}`));
  };
  const opened = {};
  const open = (id) => {
    goTo({ view: id, stack: shop.stack });
    if (opened[id] === shop.stack) return;
    opened[id] = shop.stack;
    ({ rules: rulebook, diff: differences, scenarios: scenarioList, findings })[id](shop, goTo);
  };
  let current = asked.get("view") in parts ? asked.get("view") : asked.get("scenario") ? "scenarios" : "rules";
  const bar = tabs("Workshop", {
    rules: ["Rules", parts.rules], diff: ["Side by side", parts.diff], scenarios: ["Scenarios", parts.scenarios], findings: ["Findings", parts.findings],
  }, current, (id) => { current = id; if (shop.ready) open(id); });
  const field = stackField("Ruleset", first, packs, (stack) => {
    shop.stack = stack;
    goTo({ stack, rule: "", word: "", scenario: "" });
    open(current);
  });
  chrome.title("Workshop");
  fill(page, chrome.heading("/workshop"), h("main", { class: "shop" }, h("div", { class: "shop-head" }, h("h1", {}, "Workshop"), field), bar.bar, bar.panels));
  shop.ready = true;
  open(current);
  return () => shop.stop();
}

/** A sentence in pieces, with links to what it speaks of. */
export function sentence(pieces, look) {
  return pieces.map(([text, sort, id]) => {
    if (!sort) return text;
    if (sort === "code") return h("code", {}, text);
    if (!id) return h("i", {}, text);
    return h("a", { href: "#", onclick: (event) => { event.preventDefault(); look(sort, id); } }, text);
  });
}

