// What somebody is asked, and how an answer is put together piece by piece. Nothing here knows a
// game: titles, prompts, options and reasons are those of the rules.

import { ICONS, fill, h, icon, notice } from "./dom.js";
import { divide } from "./dividing.js";
import { forgetChoice, keepChoice, keptChoice } from "./begun.js";
import { options as optionList, tellAgain } from "./options.js";

/**
 * The panel of one seat. `table` offers `next(body)` (what may come next), `answer(body)`, `board`,
 * `ownerColour(name)`, `details(option)`, `card(thing)` and `rule(source)`.
 */
export class Asking {
  constructor(table) {
    this.table = table;
    this.element = h("section", { class: "asking", "aria-label": "What you are asked", "aria-live": "polite" });
    this.decision = null;
    this.number = 0;
  }

  /** Show a decision, or that there is none. What was begun is kept while it is still asked; whoever loses it is told. */
  show(decision, told) {
    this.idle = told;
    const kept = this.drawn ? null : keptChoice(this.table);
    const begun = Boolean(kept) || (!this.busy && this.isBegun());
    const again = decision?.id === this.decision?.id && decision?.actions?.some((one) => one.id === this.action?.id);
    if (decision && (JSON.stringify(decision) === this.said || (begun && again))) {
      this.decision = decision;
      this.said = JSON.stringify(decision);
      this.tell();
      return;
    }
    this.decision = decision;
    this.said = decision && JSON.stringify(decision);
    this.number += 1;
    this.busy = false;
    if (kept && decision && kept.id === decision.id && this.#fits(kept)) {
      this.#resume(kept);
      return;
    }
    if (begun) notice("The question has changed: what you had begun was not answered.", "", "told");
    this.begin();
  }

  /** Whether something is chosen that has not been sent. */
  isBegun() {
    return Boolean(this.action || this.picked?.length || this.chosen?.size || Object.keys(this.given ?? {}).length);
  }

  /** Whether a choice from before a reload can go on: the question is the same, or still offers its action. */
  #fits(kept) {
    return kept.said === this.said || this.decision.actions?.some((one) => one.id === kept.action);
  }

  /** Go on with a choice from before a reload. */
  #resume({ action, args, picked, chosen, given }) {
    this.begin();
    this.resumed = chosen;
    if (action) {
      this.action = this.decision.actions.find((one) => one.id === action);
      this.args = args;
      this.#next();
      return;
    }
    Object.assign(this, { picked, given });
    if (this.decision.kind === "select") this.#select();
    else if (this.decision.kind === "divide") divide(this);
    else this.#choose();
  }

  begin() {
    this.action = null;
    this.args = [];
    this.picked = [];
    this.chosen = null;
    this.resumed = null;
    this.given = {};
    if (!this.decision) {
      this.table.board.light([]);
      this.draw(this.idle);
      return;
    }
    if (this.decision.kind === "act") this.#actions();
    else if (this.decision.kind === "select") this.#select();
    else if (this.decision.kind === "divide") divide(this);
    else this.#choose();
  }

  // ---- pieces of the panel

  head(prompt, crumbs = []) {
    const { source } = this.decision;
    return h("header", {},
      crumbs.length ? h("ol", { class: "crumbs", "aria-label": "So far" }, crumbs.map((one) => h("li", {}, one))) : null,
      h("div", { class: "prompt" },
        h("h2", {}, prompt),
        source ? h("button", { type: "button", class: "cite", onclick: () => this.table.rule(source) }, (source.cites || "").split(" · ")[0] || source.rule) : null));
  }

  draw(...parts) {
    const held = document.activeElement;
    const inside = this.element.contains(held);
    // Whoever plays with keys finds the next question where they left the last one.
    const focus = inside || (this.keyed && held === document.body);
    this.keyed = inside ? held.matches(":focus-visible") : focus;
    keepChoice(this);
    fill(this.element, ...parts);
    this.element.classList.toggle("busy", this.busy);
    this.drawn = (this.drawn || 0) + 1;
    Object.assign(this.element.dataset, { drawn: this.drawn, decision: this.decision?.id || "" });
    if (focus) this.focus();
  }

  /** Tell anew what the table knows of what is offered. */
  tell() {
    tellAgain(this.element, this.table);
  }

  /** Go to the first thing that can be chosen. */
  focus() {
    this.element.querySelector(".options button:not(:disabled), .foot button:not(:disabled)")?.focus();
  }

  foot(...buttons) {
    return h("footer", { class: "foot" }, buttons);
  }

  backButton(label = "Back") {
    return h("button", { type: "button", class: "quiet back", onclick: () => this.back() }, icon(ICONS.back, 18), label);
  }

  light(found, pick) {
    const lit = found.filter((one) => one.place && !one.closed);
    const taken = this.args.filter((one) => one.place && !lit.some((other) => other.place === one.place));
    this.table.board.light(lit.map((one) => ({ place: one.place, label: one.label, chosen: one.chosen })),
      (place) => pick(lit.find((one) => one.place === place)), taken.map((one) => one.place));
  }

  list(found, pick, given = {}) {
    return optionList(found, pick, { table: this.table, ...given });
  }

  /** Ask the server; what comes too late, after another question, is forgotten. */
  async ask(body, then) {
    const number = this.number;
    const made = (this.asked = (this.asked || 0) + 1);
    const found = await this.table.next({ decision: this.decision.id, ...body });
    if (found && number === this.number && made === this.asked) then(found);
  }

  async send(answer) {
    if (this.busy) return;
    this.busy = true;
    forgetChoice(this.table);
    this.element.classList.add("busy");
    const number = this.number;
    const taken = await this.table.answer({ decision: this.decision.id, answer });
    if (taken || number !== this.number) return; // what is asked next is on its way, or here
    this.busy = false;
    this.begin();
  }

  // ---- an act: an action, then what it takes

  #actions() {
    const { actions, end, prompt } = this.decision;
    const items = actions.map((one) => ({ value: one.id, label: one.title, detail: this.#takes(one) }));
    this.draw(this.head(prompt),
      this.list(items, (one) => this.#begin(one.value), { sort: "actions" }),
      this.foot(h("small", { class: "soft" }, ENDS[end] ?? ""),
        h("button", { type: "button", class: "end", "data-answer": end, onclick: () => this.#end() }, capital(end))));
    this.light([], () => {});
    this.#firsts();
  }

  /** End the act. If that gives up what was begun, ask before. */
  #end() {
    const { actions, begun, end } = this.decision;
    if (!begun.length) {
      this.send(end);
      return;
    }
    const finishing = begun.flatMap((one) => one.actions).map((id) => actions.find((one) => one.id === id));
    const items = finishing.map((one) => ({ value: one.id, label: one.title, detail: this.#takes(one) }));
    this.light([], () => {});
    this.draw(this.head(`You have begun something, and “${capital(end)}” gives it up.`),
      h("ul", { class: "begun" }, begun.map((one) => h("li", {}, one.text))),
      this.list(items, (one) => this.#begin(one.value), { sort: "actions" }),
      this.foot(this.backButton("Go on here"),
        h("button", { type: "button", class: "leave", "data-answer": end, onclick: () => this.send(end) }, "Leave it")));
  }

  #takes(action) {
    return action.params.map((one) => one.prompt.replace(/\?$/, "")).join(" · ");
  }

  /** Places with which an action can begin are lit at once. */
  async #firsts() {
    const number = this.number;
    const able = this.decision.actions.filter((one) => one.params[0]?.single && this.table.isPlace(one.params[0].type));
    const found = await Promise.all(able.map((one) => this.table.next({ decision: this.decision.id, action: one.id, args: [] }, true)));
    if (number !== this.number || this.action) return;
    const starts = new Map();
    found.forEach((next, index) => {
      for (const option of next?.options || []) {
        if (!starts.has(option.place)) starts.set(option.place, { ...option, actions: [] });
        starts.get(option.place).actions.push(able[index]);
      }
    });
    this.light([...starts.values()], (start) => {
      if (start.actions.length === 1) this.#begin(start.actions[0].id, start);
      else this.#which(start);
    });
  }

  /** A place with which several actions can begin. */
  #which(start) {
    const items = start.actions.map((one) => ({ value: one.id, label: one.title, detail: this.#takes(one) }));
    this.draw(this.head(start.label, []),
      this.list(items, (one) => this.#begin(one.value, start), { sort: "actions" }),
      this.foot(this.backButton()));
  }

  #begin(id, first = null) {
    this.action = this.decision.actions.find((one) => one.id === id);
    this.args = first ? [{ value: first.value, label: first.label, place: first.place }] : [];
    this.#next();
  }

  #next() {
    const { action, args } = this;
    const asked = { action: action.id, args: args.map((one) => one.value) };
    if (args.length < action.params.length) {
      this.ask(asked, (found) => this.#param(found));
      return;
    }
    this.light([], () => {});
    if (action.terms) this.ask(asked, ({ terms }) => (terms.length ? this.#confirm(terms, asked) : this.send(asked)));
    else this.send(asked);
  }

  /** Show both sides' terms of what gives something away, and send it only if they are agreed to. */
  #confirm(terms, answer) {
    const crumbs = this.args.map((one) => one.label);
    this.draw(this.head(`${this.action.title}? These are the terms.`, crumbs),
      h("ul", { class: "terms" }, terms.map((one) => h("li", {}, one))),
      this.foot(this.backButton(), h("button", { type: "button", class: "main confirm", onclick: () => this.send(answer) }, this.action.title)));
  }

  #param({ options, least, most }) {
    const param = this.action.params[this.args.length];
    const push = ({ value, label, place }, forced = false) => {
      this.args.push({ value, label, place, forced });
      this.#next();
    };
    if (param.single && options.length === 1) {
      push(options[0], true);
      return;
    }
    const crumbs = [this.action.title, ...this.args.map((one) => one.label)];
    if (param.single) {
      this.light(options, (one) => push(one));
      this.draw(this.head(param.prompt, crumbs),
        this.list(options, (one) => push(one), { numbers: param.type === "int" }),
        this.foot(this.backButton()));
      return;
    }
    this.#several(param.prompt, crumbs, options, least ?? 0, most ?? options.length, (value, label) => push({ value, label }), this.backButton());
  }

  /** A step back: what was chosen last, as far as there was a choice. */
  back() {
    if (!this.decision || this.busy) return;
    if (this.decision.kind === "select" && this.picked.length) {
      this.picked.pop();
      this.#select();
      return;
    }
    if (!this.action) {
      this.begin();
      return;
    }
    while (this.args.length && this.args.pop().forced);
    if (!this.args.length) this.begin();
    else this.#next();
  }

  // ---- one, or several at once

  #choose() {
    const { prompt, options, several, least, most, optional } = this.decision;
    const real = options.filter((one) => one.value !== null);
    if (several) {
      this.#several(prompt, [], real, least ?? 0, most ?? real.length, (values) => this.send(values));
      return;
    }
    this.light(real, (one) => this.send(one.value));
    this.draw(this.head(prompt),
      this.list(real, (one) => this.send(one.value), { numbers: this.decision.item === "int" }),
      optional ? this.foot(h("button", { type: "button", class: "none", "data-answer": "none", onclick: () => this.send(null) }, "None of these")) : null);
  }

  #several(prompt, crumbs, found, least, most, done, ...more) {
    const options = together(found);
    const chosen = this.chosen = new Set((this.resumed ?? []).filter((value) => options.some((one) => one.value === value)));
    this.resumed = null;
    const number = least === most ? `${least}` : `${least} to ${most}`;
    const draw = () => {
      const items = options.map((one) => ({ ...one, chosen: chosen.has(one.value), closed: !chosen.has(one.value) && chosen.size >= most && most > 1 }));
      const flip = (one) => {
        if (chosen.has(one.value)) chosen.delete(one.value);
        else {
          if (most === 1) chosen.clear();
          if (chosen.size < most) chosen.add(one.value);
        }
        draw();
      };
      const picked = options.filter((one) => chosen.has(one.value));
      const held = document.activeElement?.dataset?.value;
      this.light(items, flip);
      this.draw(this.head(prompt, crumbs),
        h("p", { class: "count" }, `${chosen.size} chosen; this takes ${number}.`),
        this.list(items, flip, { toggles: true }),
        this.foot(...more,
          options.length > 3 && most >= options.length ? h("button", { type: "button", class: "quiet", onclick: () => { options.forEach((one) => chosen.add(one.value)); draw(); } }, "All") : null,
          h("button", {
            type: "button", class: "main confirm", disabled: chosen.size < least || chosen.size > most,
            onclick: () => done(picked.map((one) => one.value), picked.map((one) => one.label).join(", ") || "nothing"),
          }, chosen.size || !least ? `Take ${chosen.size || "none"}` : `Take ${number}`)));
      if (held !== undefined) [...this.element.querySelectorAll("[data-value]")].find((one) => one.dataset.value === held)?.focus();
    };
    draw();
  }

  // ---- one after the other, as long as it leads to something

  #select() {
    this.ask({ chosen: this.picked.map((one) => one.value) }, ({ options: left, complete }) => {
      const { prompt, options } = this.decision;
      const able = new Set(left.map((one) => key(one.value)));
      const took = new Set(this.picked.map((one) => key(one.value)));
      if (complete && !left.length && this.picked.length) {
        this.send(this.picked.map((one) => one.value));
        return;
      }
      const items = options.map((one) => ({ ...one, chosen: took.has(key(one.value)), closed: !able.has(key(one.value)) && !took.has(key(one.value)) }));
      const flip = (one) => {
        const at = this.picked.findIndex((other) => key(other.value) === key(one.value));
        if (at >= 0) this.picked.splice(at, 1);
        else this.picked.push({ value: one.value, label: one.label });
        this.#select();
      };
      this.light(items.filter((one) => !one.closed), flip);
      this.draw(this.head(prompt, this.picked.map((one) => one.label)),
        this.list(items, flip, { toggles: true }),
        this.foot(this.picked.length ? this.backButton() : null,
          h("button", { type: "button", class: "main confirm", disabled: !complete, onclick: () => this.send(this.picked.map((one) => one.value)) },
            this.picked.length ? `Take ${this.picked.length}` : "Take none")));
    });
  }
}

/** The same things one after the other, in the order in which the first of each comes. */
function together(options) {
  const heaps = new Map();
  for (const one of options) heaps.set(one.label, [...(heaps.get(one.label) || []), one]);
  return [...heaps.values()].flat();
}

/** What the words that end an act mean for whoever presses them. */
const ENDS = {
  done: "“Done”: you do nothing more in this phase.",
  pass: "“Pass”: you do nothing more in this phase, unless somebody's answer to you calls you back.",
};

/** Values compared by what they are. */
export const key = (value) => JSON.stringify(value);
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
