// What is wrong with a ruleset, told anew whenever one of its files is written.

import { address, listen } from "./api.js";
import { fill, h } from "./dom.js";

export function findings(shop) {
  const element = shop.parts.findings;
  const state = h("p", { class: "soft", role: "status" }, "Checking …");
  const list = h("div", { class: "findings" });
  fill(element, h("div", { class: "finding-head" }, h("h2", {}, shop.stack), state), list);
  shop.stop();
  shop.stop = listen(`/api/workshop/watch?stack=${encodeURIComponent(shop.stack)}`, "", (name, data) => {
    if (name === "findings") show(list, state, data);
  }, (now, error) => { if (now !== "open") state.textContent = error?.message || "The server cannot be reached."; });
}

function show(list, state, data) {
  const watched = data.folders.length ? `Watching ${data.folders.join(", ")}: save a file to see it here at once.` : "All of it came with Ziggurat; a pack of your own on top is watched while you write it.";
  state.textContent = `${data.summary}. ${watched}`;
  fill(list,
    data.findings.length ? null : h("p", { class: "all-well" }, "Nothing is wrong with it."),
    data.tested && data.tested.ran ? h("section", { class: data.tested.failed.length ? "finding error" : "finding fine" },
      h("h3", {}, data.tested.failed.length ? `${data.tested.failed.length} of ${data.tested.ran} scenarios of your packs fail` : `All ${data.tested.ran} scenarios of your packs end as expected`),
      data.tested.failed.map((one) => h("div", {}, h("a", { href: address(`/workshop?${new URLSearchParams({ stack: data.stack, scenario: one.id, view: "scenarios" })}`) }, one.title), h("p", {}, one.told), h("p", { class: "cite" }, one.where || "")))) : null,
    data.findings.map((one) => h("article", { class: `finding ${one.severity}` },
      h("h3", {}, h("span", { class: "badge" }, `${one.severity} ${one.code}`), one.message),
      one.where ? h("p", { class: "cite" }, one.where) : null,
      one.line ? h("pre", { class: "excerpt" }, one.line.slice(0, one.column - 1), h("mark", {}, one.line.slice(one.column - 1, one.column - 1 + one.width)), one.line.slice(one.column - 1 + one.width)) : null,
      one.notes.map((note) => h("p", { class: "soft" }, note)),
      one.suggestion ? h("p", { class: "help" }, one.suggestion) : null)));
}
