// A save looked back at: a slider over the turns, a step at a time, and an address for every position.

import { Wrong, address, get } from "./api.js";
import { ICONS, fill, h, notice, tabs, tool } from "./dom.js";
import { known } from "./lobby.js";
import { about, peopleBar } from "./people.js";
import { Table } from "./table.js";

const PACE = 700;

export async function replayPage(page, id, chrome) {
  if (!id) return choose(page, chrome);
  const [number, key] = location.hash.slice(1).split(".");
  const kept = known().find((one) => one.table === id)?.link.split("#")[1]?.split(".")[0];
  const table = new Table(id, key || kept || "", "", `/api/replays/${encodeURIComponent(id)}`);
  table.why = null;
  table.earlier = null;
  const head = h("div", { class: "place" });
  const people = h("div", { class: "people-box" });
  const turns = h("input", { type: "range", min: "0", value: "0", class: "turns", "aria-label": "Turn" });
  const steps = h("input", { type: "range", min: "0", value: "0", class: "answers", "aria-label": "Answer of the turn" });
  const told = h("output", { class: "replay-told working" }, "Reading the game; a long one takes some seconds …");
  const runs = tool(ICONS.play, "Play on", () => play());
  const pages = tabs("What to look at", {
    log: ["Log", table.log.element], standings: ["Standings", table.standings.element], hand: ["Cards", table.hand], notes: ["On the table", table.notes],
  }, "log");
  fill(page, h("div", { class: "table-page" }, chrome.top(head, people),
    h("main", { class: "table-main" }, table.board.frame, h("aside", { class: "side" },
      h("fieldset", { class: "ask-box replay-box", disabled: true },
        h("div", { class: "replay-row" }, tool(ICONS.back, "One answer back", () => go(at - 1)), runs, tool(ICONS.forward, "One answer on", () => go(at + 1)), told),
        h("label", { class: "replay-slide" }, h("span", {}, "Turn"), turns), h("label", { class: "replay-slide" }, h("span", {}, "Answer"), steps)),
      pages.bar, pages.panels))));
  let at = Number(number) || 0;
  let wanted = null;
  let timer = 0;
  await table.load();

  const bounds = (view) => {
    const turn = view.turns.findLastIndex((start) => start <= view.answer);
    const from = view.turns[Math.max(turn, 0)];
    const to = turn + 1 < view.turns.length ? view.turns[turn + 1] - 1 : view.answers;
    return [Math.max(turn, 0), from, to];
  };
  const show = (view) => {
    table.show(view);
    const [turn, from, to] = bounds(view);
    Object.assign(turns, { max: String(view.turns.length - 1), value: String(turn) });
    Object.assign(steps, { min: String(from), max: String(Math.max(to, from)), value: String(view.answer) });
    told.classList.remove("working");
    page.querySelector(".replay-box").disabled = false;
    told.textContent = `Turn ${view.first_turn + turn}, answer ${view.answer} of ${view.answers}`;
    chrome.title(`${view.moment.title}, turn ${view.moment.turn}`);
    fill(head, h("h1", {}, `Turn ${view.moment.turn}`), h("span", {}, view.moment.title), h("small", {}, "nothing is hidden"));
    fill(people, peopleBar(view, (seat) => about(view, seat, table)));
    table.asking.show(null, "");
    history.replaceState(null, "", `#${view.answer}${key ? `.${key}` : ""}`);
  };
  /** Go to an answer; of many wishes at once only the last counts. */
  const go = async (next) => {
    wanted = Math.max(0, next);
    if (go.busy) return;
    go.busy = true;
    while (wanted !== null) {
      const now = wanted;
      wanted = null;
      try {
        const view = await get(`${table.base}?answer=${now}`, table.key);
        at = view.answer;
        show(view);
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        notice(error.message);
        stop();
      }
    }
    go.busy = false;
  };
  const stop = () => { clearTimeout(timer); timer = 0; runs.setAttribute("aria-pressed", "false"); };
  const play = () => {
    if (timer) { stop(); return; }
    runs.setAttribute("aria-pressed", "true");
    const next = async () => {
      await go(at + 1);
      timer = timer && at < table.view.answers ? setTimeout(next, PACE) : 0;
      if (!timer) stop();
    };
    timer = setTimeout(next, 0);
  };
  turns.addEventListener("input", () => go(table.view.turns[Number(turns.value)]));
  steps.addEventListener("input", () => go(Number(steps.value)));
  const moved = () => { const next = Number(location.hash.slice(1).split(".")[0]); if (Number.isFinite(next) && next !== at) go(next); };
  addEventListener("hashchange", moved);
  await go(at);
  return () => { stop(); removeEventListener("hashchange", moved); };
}

async function choose(page, chrome) {
  chrome.title("Replays");
  const { saves } = await get("/api/replays");
  const tables = known();
  fill(page, chrome.heading("/replay"), h("main", { class: "lobby" },
    h("div", { class: "intro" }, h("h1", {}, "Replays"), h("p", {}, "Look back at a game: a slider over its turns, a step at a time. The address of a position can be passed on.")),
    h("section", { class: "sheet card" }, h("h2", {}, "Saved games"),
      saves.length ? h("ul", { class: "tables-list" }, saves.map((one) => h("li", {}, h("a", { href: address(`/replay/${encodeURIComponent(one.id)}`) }, one.id))))
        : h("p", { class: "soft" }, "This server shows no folder of saved games; `ziggurat serve --saves FOLDER` names one.")),
    tables.length ? h("section", { class: "sheet card" }, h("h2", {}, "Tables you have a link for"),
      h("ul", { class: "tables-list" }, tables.map((one) => h("li", {}, h("a", { href: address(`/replay/${encodeURIComponent(one.table)}#0.${one.link.split("#")[1]?.split(".")[0] || ""}`) }, one.title))))) : null));
  return () => {};
}
