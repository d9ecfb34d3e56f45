// A table: the board, what one is asked, one's cards, how everybody stands, what happened.

import { Wrong, changed, get, listen, post, text } from "./api.js";
import { Asking } from "./asking.js";
import { ICONS, dialog, fill, h, notice, s, tabs, tool } from "./dom.js";
import { showHand } from "./hand.js";
import { hostMenu } from "./host.js";
import { helpWindow, shortcuts } from "./keys.js";
import { Log } from "./log.js";
import { Board } from "./map.js";
import { about, peopleBar, showNotes, waitingFor } from "./people.js";
import { drawMarks, standing } from "./pieces.js";
import { Standings } from "./standings.js";
import { cardWindow, explanation, ruleWindow } from "./why.js";

/** Everything the parts of the screen share: the rules of the table, and ways to ask the server. */
export class Table {
  constructor(id, key, hostKey, base = `/api/tables/${encodeURIComponent(id)}`) {
    Object.assign(this, { id, key, hostKey, stack: "", spots: {}, looks: {}, things: {}, places: {}, kinds: new Set(), shown: {} });
    this.base = base;
    this.board = new Board((place) => this.placeWindow(place));
    this.asking = new Asking(this);
    this.log = new Log(this);
    this.standings = new Standings((seat) => about(this.view, seat, this), this);
    this.hand = h("section", { class: "hand" });
    this.notes = h("section", { class: "notes" });
  }

  async load() {
    const rules = await get(`${this.base}/rules`, this.key);
    this.rules = rules;
    this.stack = rules.stack;
    this.looks = Object.fromEntries(rules.pieces.map((one) => [one.id, { ...one, told: one.title }]));
    this.things = rules.things;
    this.places = Object.fromEntries(rules.places.map((one) => [one.id, one]));
    this.kinds = new Set(rules.places.filter((one) => one.board).map((one) => one.kind));
    await this.#picture();
  }

  async #picture() {
    if (!this.rules.board) {
      this.board.none();
      return;
    }
    const [drawing, middle] = await Promise.all([text(`${this.base}/map.svg`, this.key), get(`${this.base}/map.json`, this.key)]);
    this.spots = Object.fromEntries(Object.entries(middle.places).map(([id, [x, y]]) => [id, { x, y, title: this.placeTitle(id) }]));
    this.board.load(drawing, this.spots);
    this.marks = s("g", { class: "marks" });
    this.board.shine.before(this.marks);
  }

  // ---- names

  owner(id) { return this.view?.owners.find((one) => one.id === id); }
  ownerColour(id) { return this.owner(id)?.colour || ""; }
  isPlace(type) { return this.kinds.has(type); }
  placeTitle(id) { return this.places[id]?.title || id.replaceAll("_", " "); }
  title(thing) { return this.things[thing]?.title || thing.split(".").pop().replaceAll("_", " "); }

  /** What the rules show of a thing to this seat: `[{title, value}]`. */
  told(thing) { return this.shown[thing] || []; }

  /** What stands beside an option: pieces in a place, numbers of a thing. */
  details(option) {
    if (option.place) {
      return this.view.pieces.filter((one) => one.place === option.place)
        .map((one) => `${one.owner === this.view.seat ? "you" : this.owner(one.owner)?.title || one.owner} ${one.number} ${this.looks[one.piece]?.told || one.piece}`).join(", ");
    }
    return option.thing ? this.told(option.thing).map((one) => `${one.title} ${one.value ?? "?"}`).join(" · ") : "";
  }

  // ---- the server

  /** Something asked; what went wrong is told, and gives nothing. */
  async #tried(work) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      notice(error.message, error.source);
      if (error.status === 409) this.refresh();
      return null;
    }
  }

  /** What may come next in an answer; quietly where nobody has asked for it. */
  async next(body, quiet = false) {
    const owned = (found) => found && { ...found, options: found.options?.map((one) => this.#owned(one, body)) };
    if (!quiet) return owned(await this.#tried(() => post(`${this.base}/options`, body, this.key)));
    return owned(await post(`${this.base}/options`, body, this.key).catch(() => null));
  }

  /** Options that are somebody know whose colour they have. */
  #owned(option, { action, args }) {
    const decision = this.asking.decision;
    const type = action ? decision?.actions.find((one) => one.id === action)?.params[args.length]?.type : decision?.item;
    return ["player", "owner"].includes(type) && option.value !== null ? { ...option, owner: option.value } : option;
  }

  async answer(body) {
    return this.#tried(() => post(`${this.base}/answer`, body, this.key));
  }

  async why(body) {
    return this.#tried(() => post(`${this.base}/why`, body, this.key));
  }

  async earlier(from, to) {
    return this.#tried(() => get(`${this.base}/log?from=${from}&to=${to}`, this.key));
  }

  async host(body) {
    return this.#tried(() => post(`${this.base}/host`, body, this.hostKey));
  }

  async undo() {
    if (this.view.undo) await this.#tried(() => post(`${this.base}/undo`, {}, this.key));
    else if (this.hostKey) await this.host({ do: "undo" });
    else notice("Only the host can take this back now: something was shown or somebody has answered since.", "", "told");
  }

  async refresh() {
    const view = await get(this.base, this.key).catch(() => null);
    if (view) this.show(view);
  }

  async card(thing) {
    const found = await this.#tried(() => get(`${this.base}/card?thing=${encodeURIComponent(thing)}`, this.key));
    if (found) cardWindow(found, this.told(thing), this);
  }

  rule(source) {
    ruleWindow(source, this);
  }

  async explain(expression) {
    const found = await this.why({ value: expression });
    if (found) dialog(expression, explanation(found, this));
  }

  placeWindow(place) {
    const here = this.view.pieces.filter((one) => one.place === place);
    const marks = this.view.marks.filter((one) => one.place === place && one.told);
    dialog(this.placeTitle(place),
      here.length ? h("ul", { class: "beside" }, here.map((one) => h("li", {}, `${this.owner(one.owner)?.title || one.owner}: ${one.number} ${this.looks[one.piece]?.told || one.piece}`))) : h("p", { class: "soft" }, "Nothing stands here."),
      marks.length ? h("p", {}, marks.map((one) => one.told).join(", ")) : null,
      h("p", {}, h("button", { type: "button", class: "quiet", onclick: () => this.card(`${this.places[place]?.kind}.${place}`) }, "What the rules say of it")));
  }

  // ---- the screen

  /** Bring everything up to a view. */
  show(view) {
    const before = this.view;
    this.view = view;
    this.log.take(view.log);
    this.board.stand(standing(this, view.pieces));
    if (this.marks) drawMarks(this.marks, this.board.shapes, this.spots, view.marks);
    this.standings.show(view);
    this.offered?.(showNotes(this.notes, view));
    this.#values(view);
    this.changed?.(view, before);
    const decision = view.decisions[0] || null;
    if (decision?.options) decision.options = decision.options.map((one) => this.#owned(one, {}));
    this.asking.show(decision, this.#idle(view));
    showHand(this.hand, view, this);
    if (!before || before.moment.turn !== view.moment.turn || before.state !== view.state) this.#history();
  }

  /** What packs show of things to this seat; asked for when anything changed. */
  async #values(view) {
    const own = JSON.stringify([view.decisions.map((one) => one.id), view.piles.filter((one) => one.of === view.seat), view.moment.phase]);
    if (!view.seat || own === this.valued) return;
    this.valued = own;
    const found = await get(`${this.base}/shown`, this.key).catch(() => null);
    if (!found || this.view !== view || JSON.stringify(found) === this.shownText) return;
    this.shownText = JSON.stringify(found);
    this.shown = found.things;
    this.figures?.(found.phase);
    showHand(this.hand, view, this);
    this.asking.tell();
  }

  async #history() {
    const found = await get(`${this.base}/history`, this.key).catch(() => null);
    if (found) this.standings.remember(found);
  }

  #idle(view) {
    if (view.state === "over") return ranking(view);
    const told = view.trouble ? [h("h2", {}, view.trouble.text), h("p", { class: "cite" }, view.trouble.source)]
      : [h("h2", {}, view.seat ? "Nothing to decide just now" : "You are looking on"), h("p", { class: "soft" }, waitingFor(view))];
    return h("div", { class: "idle" }, told);
  }
}

function ranking(view) {
  const { columns, rows, ranking: ranked, ranks } = view.standings;
  const last = columns.length - 1;
  const title = (id) => view.owners.find((one) => one.id === id)?.title || id;
  const first = ranked.filter((id) => ranks[id] === 1).map(title);
  const shared = first.length > 1 ? `${first.slice(0, -1).join(", ")} and ${first.at(-1)} share first place.` : null;
  return h("div", { class: "idle ended" }, h("h2", {}, "The game is over"), shared ? h("p", {}, shared) : null,
    h("ol", { class: "ranks" }, ranked.map((id) => h("li", { value: ranks[id] }, title(id), last >= 0 ? h("b", {}, rows[id]?.[last] ?? "?") : null))));
}

/** The whole page of a table. */
export async function tablePage(page, id, keys, chrome, remember) {
  const [key, hostKey] = keys;
  const table = new Table(id, key, hostKey);
  const head = h("div", { class: "place" });
  const people = h("div", { class: "people-box" });
  const figures = h("div", { class: "figures strip", hidden: true });
  const link = h("span", { class: "link lost", role: "status", hidden: true }, "connecting …");
  const undo = tool(ICONS.undo, "Take back", () => table.undo(), { class: "tool undo" });
  const back = h("p", { class: "may-undo", hidden: true }, "Until somebody else answers, you can ",
    h("button", { type: "button", class: "quiet", onclick: () => table.undo() }, "take your last answer back"), " (U).");
  const pages = tabs("What to look at", {
    hand: ["Cards", table.hand], standings: ["Standings", table.standings.element], notes: ["On the table", table.notes], log: ["Log", table.log.element],
  }, localStorage.getItem("tab") || "hand", (chosen) => { localStorage.setItem("tab", chosen); if (chosen === "log") pages?.panels.scrollTo(0, 1e9); });
  const host = tool(ICONS.menu, "Host", () => hostMenu(table), { class: "tool host", hidden: !hostKey });
  fill(page, h("div", { class: "table-page" },
    chrome.top(head, people, h("span", { class: "top-tools" }, link, undo, host, tool(ICONS.help, "Keys and help", () => helpWindow()))),
    h("main", { class: "table-main" }, table.board.frame, h("aside", { class: "side" }, h("div", { class: "ask-box" }, figures, table.asking.element, back), pages.bar, pages.panels))));
  let near = false;
  table.offered = (number) => { pages.bar.querySelector("[data-tab=notes]").textContent = number ? `On the table (${number})` : "On the table"; };
  table.changed = (view, before) => {
    chrome.title(`${view.decisions.length ? "● " : ""}${view.moment.title || view.title}`);
    fill(head, h("h1", {}, view.moment.turn ? `Turn ${view.moment.turn}` : view.title), h("span", {}, view.moment.title),
      h("small", {}, view.decisions.length ? "Your move" : waitingFor(view)));
    const seated = JSON.stringify([view.owners, view.waiting]);
    if (seated !== people.dataset.seated) fill(people, peopleBar(view, (seat) => about(table.view, seat, table)));
    people.dataset.seated = seated;
    if (view.host) table.hostKey = key;
    host.hidden = !table.hostKey;
    undo.disabled = !(view.undo || table.hostKey);
    undo.hidden = !view.seat && !table.hostKey;
    back.hidden = !view.undo;
    if (!before) remember(id, `${view.title}${view.seat ? `: ${table.owner(view.seat)?.title}` : ""}`, location.href);
    near ||= nearOwn(table, view);
    const cardless = !view.piles.some((pile) => pile.size || pile.some || pile.cards?.length) && !Object.values(view.holdings).some((held) => held.length);
    if (!before && cardless && !table.hand.hidden) pages.show("standings");
  };
  table.figures = (found) => {
    figures.hidden = !found.length;
    fill(figures, found.map((one) => h("div", { class: "figure" }, h("b", {}, one.value ?? "?"), h("span", {}, one.title))));
  };
  await table.load();
  let received = null; // the document as the server knows it
  const stop = listen(`${table.base}/events`, key, (name, data) => {
    if (name === "view") table.show(received = data);
    if (name === "changes") table.show(received = { ...changed(received, { members: data.changes }), version: data.version, log: data.log });
    if (name === "upgraded") reloadOnce(data.version);
    if (name === "gone") notice("This link is void now: the table was ended or its key replaced.");
  }, (state, error) => {
    link.hidden = state === "open";
    link.textContent = state === "refused" ? error.message : "connecting …";
    document.documentElement.dataset.link = state;
  });
  const keysOff = shortcuts(table);
  return () => { stop(); keysOff(); };
}

/** Load the page anew after the server was upgraded; once, should the new one not be found. */
function reloadOnce(version) {
  if (sessionStorage.getItem("upgraded") === version) return;
  sessionStorage.setItem("upgraded", version);
  location.reload();
}

/** On a small screen the picture begins where one's own pieces are, as soon as there are any. */
function nearOwn(table, view) {
  const own = view.pieces.filter((one) => one.owner === view.seat && table.spots[one.place]).map((one) => one.place);
  if (own.length && table.board.frame.clientWidth < 700) table.board.near(own, 170);
  return own.length > 0;
}
