// Scenarios: a list to search, and one of them step by step with the position drawn.

import { get } from "./api.js";
import { ICONS, fill, h, s, swatch, tool } from "./dom.js";
import { Board } from "./map.js";
import { drawMarks, standing } from "./pieces.js";
import { into } from "./workshop.js";

const MOST = 200;
const SORTS = { given: "Given", run: "Run", answer: "Answer", expect: "Expected, and so it is", failed: "Failed" };

export function scenarioList(shop, goTo) {
  const asked = new URLSearchParams(location.search);
  return into(shop.parts.scenarios, async () => {
    const { scenarios } = await get(`/api/workshop/scenarios?stack=${encodeURIComponent(shop.stack)}`);
    const list = h("ul", { class: "scenario-list" });
    const shown = h("article", { class: "walk sheet" });
    const open = (id) => {
      goTo({ scenario: id });
      into(shown, async () => walk(shown, await get(`/api/workshop/scenario?${new URLSearchParams({ stack: shop.stack, id })}`)), "Running it …");
    };
    const draw = (wanted) => {
      const found = scenarios.filter((one) => !wanted || `${one.title} ${one.where} ${one.tags.join(" ")} ${one.cites}`.toLowerCase().includes(wanted.toLowerCase()));
      fill(list, found.slice(0, MOST).map((one) => h("li", {}, h("button", { type: "button", class: "entry", "data-scenario": one.id, onclick: () => open(one.id) },
        h("span", {}, one.title), h("small", {}, [one.pack, one.cites].filter(Boolean).join(" · "))))),
      found.length > MOST ? h("li", { class: "empty" }, `and ${found.length - MOST} more`) : null);
    };
    draw("");
    fill(shop.parts.scenarios, h("div", { class: "outline" }, h("nav", { class: "outline-side sheet", "aria-label": "Scenarios" },
      h("input", { type: "search", placeholder: `Find one of ${scenarios.length}`, "aria-label": "Find a scenario", oninput: (event) => draw(event.target.value) }), list), shown));
    const first = asked.get("scenario");
    if (first) open(first);
    else fill(shown, h("p", { class: "empty" }, "Choose a scenario to go through it step by step."));
  });
}

/** The same names that a table has, for what draws pieces. */
function tableOf(found, step) {
  return {
    looks: Object.fromEntries(found.pieces.map((one) => [one.id, { ...one, told: one.title }])),
    spots: found.board?.places || {},
    owner: (id) => step.owners.find((one) => one.id === id),
  };
}

function walk(element, found) {
  let at = 0;
  const board = new Board(() => {});
  const marks = s("g", { class: "marks" });
  if (found.board) {
    board.load(found.board.svg, found.board.places);
    board.shine.before(marks);
  }
  const told = h("div", { class: "walk-told", "aria-live": "polite" });
  const list = h("ol", { class: "walk-steps" });
  const last = found.steps.length - 1;
  const slider = h("input", { type: "range", min: "0", max: String(last), value: "0", "aria-label": "Step", oninput: (event) => go(Number(event.target.value)) });
  const go = (next) => {
    at = Math.max(0, Math.min(last, next));
    const step = found.steps[at];
    slider.value = String(at);
    const table = tableOf(found, step);
    if (found.board) {
      board.stand(standing(table, step.stands));
      drawMarks(marks, board.shapes, board.spots, step.marks);
    }
    [...list.children].forEach((one, index) => { one.classList.toggle("now", index === at); });
    list.children[at]?.scrollIntoView({ block: "nearest" });
    fill(told, ...describe(step, table));
  };
  fill(list, found.steps.map((step, index) => h("li", { class: step.sort }, h("button", { type: "button", onclick: () => go(index) },
    h("b", {}, SORTS[step.sort]), h("span", {}, step.sort === "expect" ? "" : step.text)))));
  fill(element, h("header", {}, h("h2", {}, found.title), h("p", { class: "cite" }, [found.cites, found.where].filter(Boolean).join("  ·  ")),
    h("span", { class: found.passed ? "badge passed" : "badge failed" }, found.passed ? "as expected" : "fails")),
  h("div", { class: "walk-body" }, found.board ? board.frame : null, h("div", { class: "walk-side" },
    h("div", { class: "walk-tools" }, tool(ICONS.back, "Step back", () => go(at - 1)), slider, tool(ICONS.forward, "Next step", () => go(at + 1))), told, list)),
  found.left ? h("p", { class: "soft" }, `${found.left} more steps are not shown.`) : null);
  if (found.steps.length) go(0);
  if (found.board) requestAnimationFrame(() => board.zoom.fit());
}

function describe(step, table) {
  return [
    h("p", { class: "kicker" }, SORTS[step.sort]),
    step.asked ? h("p", { class: "soft" }, step.asked) : null,
    step.text ? h(step.sort === "expect" ? "pre" : "p", { class: "step-text" }, step.sort === "expect" ? step.text.replaceAll("; ", "\n") : step.text) : null,
    step.events.length ? h("ul", { class: "events" }, step.events.map((text) => h("li", {}, text))) : null,
    step.failure ? h("div", { class: "failure" }, h("p", {}, h("b", {}, "Expected: "), step.failure.expected), h("p", {}, h("b", {}, "But: "), step.failure.actual),
      step.failure.look_at.length ? [h("b", {}, "Look at"), h("ul", {}, step.failure.look_at.map((one) => h("li", {}, h("code", {}, one))))] : null) : null,
    step.piles.length ? h("dl", { class: "fields" }, step.piles.map((pile) => [
      h("dt", {}, table.owner(pile.of) ? swatch(table.owner(pile.of).colour) : null, ` ${[table.owner(pile.of)?.title || pile.of, pile.title].filter(Boolean).join(": ")}`), h("dd", {}, pile.cards.join(", "))])) : null,
    h("p", { class: "cite" }, step.where),
  ];
}
