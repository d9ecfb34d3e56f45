// Two rulesets side by side: what one tells otherwise than the other, by chapter and rule.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { into, stackField } from "./workshop.js";

const SIGNS = { added: "+", removed: "−", changed: "~", renamed: "≡", moved: "↕", clarified: "≈" };
const SORTS = { rule: "rules", data: "data", advice: "advice", wording: "wording", question: "questions", clarification: "clarifications" };
const LONG = 36;

export function differences(shop, goTo) {
  const asked = new URLSearchParams(location.search);
  const result = h("div", { class: "difference" });
  const sides = { left: asked.get("left") || shop.stack, right: asked.get("right") || "" };
  const compare = () => {
    if (!sides.left || !sides.right) return fill(result, h("p", { class: "empty" }, "Name a second ruleset to compare with."));
    goTo(sides);
    return into(result, async () => show(result, await get(`/api/workshop/diff?${new URLSearchParams(sides)}`)), "Comparing; two large rulesets take some seconds …");
  };
  fill(shop.parts.diff, h("form", { class: "sides", onsubmit: (event) => { event.preventDefault(); compare(); } },
    stackField("Before", sides.left, shop.packs, (stack) => { sides.left = stack; }),
    stackField("After", sides.right, shop.packs, (stack) => { sides.right = stack; }),
    h("button", { type: "submit", class: "main" }, "Compare")), result);
  return compare();
}

function show(result, found) {
  const sorts = new Set(found.chapters.flatMap((chapter) => chapter.provisions.map((one) => one.sort)));
  const left = new Set();
  const body = h("div", { class: "chapters" });
  const filters = h("div", { class: "sorts" }, [...sorts].map((sort) => h("label", {},
    h("input", { type: "checkbox", checked: true, onchange: (event) => { if (event.target.checked) left.delete(sort); else left.add(sort); draw(search.value); } }), ` ${SORTS[sort] || sort}`)));
  const search = h("input", { type: "search", placeholder: "Find in the differences", "aria-label": "Find in the differences", oninput: (event) => draw(event.target.value) });
  const draw = (wanted) => fill(body, found.chapters.map((chapter) => {
    const shown = chapter.provisions.filter((one) => !left.has(one.sort) && (!wanted || JSON.stringify(one).toLowerCase().includes(wanted.toLowerCase())));
    if (!shown.length) return null;
    return h("details", { class: "chapter", open: shown.length <= LONG }, h("summary", {}, h("h3", {}, chapter.title), h("span", { class: "badge" }, shown.length)), shown.map(provision));
  }));
  fill(result, h("h2", {}, `${found.old} → ${found.new}`), h("p", { class: "soft" }, found.headline), h("div", { class: "diff-tools" }, search, filters), body);
  draw("");
  if (!found.chapters.length) fill(body, h("p", { class: "empty" }, "They tell the same."));
}

function provision(one) {
  return h("article", { class: `provision ${one.change}` },
    h("h4", {}, h("span", { class: "sign-of-change", "aria-label": one.change }, SIGNS[one.change] || "~"), one.title, one.felt ? null : h("small", {}, "not felt under the default options")),
    one.cites ? h("p", { class: "cite" }, one.cites) : null,
    one.remarks.map((text) => h("p", { class: "comment" }, text)),
    one.entries.map((entry) => h("section", {}, h("p", { class: "entry-head" }, h("code", {}, entry.path), entry.marks.map((mark) => h("small", {}, mark))),
      h("table", { class: "hunks" }, h("tbody", {}, entry.hunks.map((rows, index) => [
        index ? h("tr", { class: "gap" }, h("td", { colspan: "2" }, "⋯")) : null,
        rows.map(([old, now]) => h("tr", {}, oneSided(rows) ? cell(old.length ? old : now, old.length ? "old" : "new", "2") : [cell(old, "old"), cell(now, "new")])),
      ]))), h("p", { class: "cite" }, entry.where))));
}

/** Whether only one of the two says anything here. */
function oneSided(rows) {
  return rows.every(([old]) => !old.length) || rows.every(([, now]) => !now.length);
}

function cell(pieces, sort, colspan = null) {
  return h("td", { class: pieces.length ? sort : "", colspan }, pieces.map(([text, common]) => (common ? text : h("mark", {}, text))));
}
