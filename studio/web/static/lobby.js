// The lobby: a table is made from any ruleset, with its options and seats, and its links are given away.

import { Wrong, get, post } from "./api.js";
import { fill, h, notice } from "./dom.js";
import { allTables } from "./house.js";
import { copied, seatLink } from "./links.js";

const KEPT = "tables";

/** Tables this browser has made or opened: only here are their keys known. */
export function known() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) || "[]");
  } catch {
    return [];
  }
}

/** Note a table down with the link one has for it. */
export function remember(table, title, link) {
  const others = known().filter((one) => one.link !== link);
  localStorage.setItem(KEPT, JSON.stringify([{ table, title, link }, ...others].slice(0, 30)));
}

export class Lobby {
  constructor(key) {
    this.key = key;
    this.element = h("main", { class: "lobby" });
    this.chosen = { stack: "", variants: new Set(), players: 0, options: {}, seats: [] };
    this.number = 0;
  }

  async load() {
    this.offer = await get("/api/rulesets", this.key);
    this.form = h("form", { class: "sheet steps", "aria-label": "A new table", onsubmit: (event) => { event.preventDefault(); this.#make(); } });
    this.result = h("section", { class: "sheet card", hidden: true, "aria-live": "polite" });
    fill(this.element,
      h("div", { class: "intro" }, h("h1", {}, "A table for everybody"),
        h("p", {}, "Choose a game, say who sits where, and send every player their link. Seats without a person are played by a program.")),
      this.result, this.form, this.#tables(), this.key ? await allTables(this.key) : null);
    await this.#choose(this.offer.games[0]?.stack);
  }

  get stack() {
    return [this.chosen.stack, ...this.chosen.variants].join("+");
  }

  // ---- choosing

  async #choose(stack) {
    this.chosen = { stack, variants: new Set([...this.chosen.variants].filter((id) => this.#fits(id, stack))), players: 0, options: {}, seats: [] };
    await this.#rules();
  }

  #fits(variant, stack) {
    return this.offer.variants.find((one) => one.id === variant)?.on.includes(stack);
  }

  async #rules() {
    const number = (this.number += 1);
    this.form.classList.add("busy");
    try {
      const rules = await get(`/api/rulesets/${encodeURIComponent(this.stack)}`, this.key);
      if (number !== this.number) return;
      this.rules = rules;
      const players = rules.players.includes(this.chosen.players) ? this.chosen.players : rules.players[0];
      this.chosen.options = {};
      this.#seats(players);
      this.wrong = null;
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      if (number !== this.number) return;
      this.wrong = error;
      this.rules = null;
    }
    this.form.classList.remove("busy");
    this.#draw();
  }

  #seats(players) {
    const possible = this.rules.seats[String(players)] || [];
    const before = this.chosen.seats;
    this.chosen.players = players;
    this.chosen.seats = Array.from({ length: players }, (_, index) => {
      const old = before[index] || { plays: null, by: index ? "bot" : "person", name: "" };
      return { ...old, plays: possible.some((one) => one.id === old.plays) ? old.plays : null };
    });
  }

  // ---- drawing

  #draw() {
    fill(this.form, this.#games(), this.#variants(),
      this.wrong ? h("p", { class: "refused", role: "alert" }, this.wrong.message) : null,
      this.rules ? [this.#players(), this.#options(),
        h("div", { class: "actions-row" }, h("button", { type: "submit", class: "main make" }, "Open the table"),
          h("label", { class: "knob seed" }, "Seed", h("input", { type: "number", name: "seed", min: "0", placeholder: "any" })))] : null);
  }

  #games() {
    return h("fieldset", {}, h("legend", {}, "Which game?"), h("div", { class: "games" }, this.offer.games.map((one) => h("label", { class: "game" },
      h("input", { type: "radio", name: "stack", value: one.stack, checked: one.stack === this.chosen.stack, onchange: () => this.#choose(one.stack) }),
      h("b", {}, one.title), h("span", { class: "soft" }, `${span(one.players)} players`)))));
  }

  #variants() {
    const fitting = this.offer.variants.filter((one) => one.on.includes(this.chosen.stack));
    if (!fitting.length) return null;
    const flip = (id) => (event) => {
      if (event.target.checked) this.chosen.variants.add(id);
      else this.chosen.variants.delete(id);
      this.#rules();
    };
    return h("fieldset", {}, h("legend", {}, "With"), h("div", { class: "variants" }, fitting.map((one) => h("label", {},
      h("input", { type: "checkbox", name: one.id, checked: this.chosen.variants.has(one.id), onchange: flip(one.id) }), h("span", {}, one.title)))));
  }

  #players() {
    const { players, seats } = this.rules;
    const possible = seats[String(this.chosen.players)] || [];
    const number = h("select", { name: "players", "aria-label": "How many play", onchange: (event) => { this.#seats(Number(event.target.value)); this.#draw(); } },
      players.map((one) => h("option", { value: String(one), selected: one === this.chosen.players }, `${one} players`)));
    const row = (seat, index) => h("div", { class: "seat-row" },
      h("span", { class: "number", "aria-hidden": "true" }, index + 1),
      h("select", { "aria-label": `What seat ${index + 1} plays`, onchange: (event) => { seat.plays = event.target.value || null; } },
        h("option", { value: "" }, "any"),
        possible.map((one) => h("option", { value: one.id, selected: one.id === seat.plays }, one.title))),
      h("select", { class: "by", "aria-label": `Who plays seat ${index + 1}`, onchange: (event) => { seat.by = event.target.value; } },
        ["person", ...this.offer.policies].map((by) => h("option", { value: by, selected: by === seat.by }, by))));
    return h("fieldset", {}, h("legend", {}, "Who plays? ", number), h("div", { class: "seats" }, this.chosen.seats.map(row)));
  }

  #options() {
    if (!this.rules.options.length) return null;
    return h("details", { class: "more" }, h("summary", {}, `House rules and options (${this.rules.options.length})`),
      h("div", { class: "knobs" }, this.rules.options.map((one) => this.#option(one))));
  }

  #option(one) {
    const set = (value) => {
      if (value === one.default) delete this.chosen.options[one.id];
      else this.chosen.options[one.id] = value;
    };
    const spoken = (value) => (value === true ? "yes" : value === false ? "no" : String(value));
    let field;
    if (one.type === "bool") field = h("input", { type: "checkbox", checked: one.default, onchange: (event) => set(event.target.checked) });
    else if (one.values.length) {
      field = h("select", { onchange: (event) => set(one.values[event.target.selectedIndex]) }, one.values.map((value) => h("option", { selected: value === one.default }, spoken(value))));
    } else field = h("input", { type: one.type === "int" ? "number" : "text", value: String(one.default ?? ""), onchange: (event) => set(one.type === "int" ? Number(event.target.value) : event.target.value) });
    return h("label", { class: "knob", "data-option": one.id }, h("span", {}, one.title || one.id.replaceAll("_", " ")), field);
  }

  // ---- making

  async #make() {
    const seed = this.form.elements.seed?.value;
    const body = { stack: this.stack, players: this.chosen.players, options: this.chosen.options, seed: seed ? Number(seed) : null, seats: this.chosen.seats };
    this.form.classList.add("busy");
    try {
      const made = await post("/api/tables", body, this.key);
      this.#made(made);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      notice(error.message, error.source);
    }
    this.form.classList.remove("busy");
  }

  #made(made) {
    const people = made.seats.filter((one) => one.key);
    const own = people[0] ? seatLink(made.table, people[0].key, made.host) : seatLink(made.table, made.view, made.host);
    const title = `${this.rules.title}, ${this.chosen.players} players`;
    remember(made.table, title, own);
    const named = (one, index) => one.name || (one.title === one.seat ? `Seat ${index + 1}` : one.title);
    const row = (label, link) => h("li", {}, h("b", {}, label), copied(link, label));
    this.result.hidden = false;
    fill(this.result, h("h2", {}, "The table is open"),
      h("p", {}, "Send each player their link. Who has a link has the seat, so give every one to one person only."),
      h("p", { class: "actions-row" }, h("a", { class: "button main go", href: own }, "Sit down")),
      h("ul", { class: "links" }, people.map((one, index) => row(index ? named(one, index) : `${named(one, index)}, with the host's powers`, index ? seatLink(made.table, one.key) : own)),
        row("Looking on", seatLink(made.table, made.view))));
    this.result.scrollIntoView({ block: "start" });
    this.result.querySelector(".go").focus();
    this.lists.replaceWith(this.#tables());
  }

  #tables() {
    const found = known();
    this.lists = h("section", { class: "sheet card", hidden: !found.length }, h("h2", {}, "Tables you have a link for"),
      h("ul", { class: "tables-list" }, found.map((one) => h("li", {}, h("a", { href: one.link }, one.title), h("small", {}, one.table)))));
    return this.lists;
  }
}

function span(numbers) {
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  if (numbers.length === 1) return String(first);
  return numbers.length === last - first + 1 ? `${first} to ${last}` : numbers.join(", ");
}
