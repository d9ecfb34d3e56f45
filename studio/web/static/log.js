// What happened, line by line, each with the rule that did it and a way to ask why.

import { dialog, fill, h, put } from "./dom.js";
import { explanation } from "./why.js";

const KEPT = 400;

export class Log {
  constructor(table) {
    this.table = table;
    this.lines = [];
    this.element = h("section", { class: "log" });
    this.list = h("ol", { class: "lines", "aria-live": "off" });
    this.more = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.#earlier() }, "Earlier lines");
    this.element.append(this.more, this.list);
    this.first = 0;
  }

  /** The lines that came with a view: from one on, as the server counts. */
  take({ from, lines }) {
    const follows = this.lines.length > 0 && from === this.lines.length + this.first;
    if (follows && !lines.length) return;
    if (from > this.lines.length + this.first || from < this.first) {
      this.first = from;
      this.lines = [];
    }
    this.lines = [...this.lines.slice(0, from - this.first), ...lines];
    if (follows && lines.length < KEPT) this.#append(lines);
    else this.#draw();
  }

  /** What is new, below what is there: nobody loses the line they are reading. */
  #append(lines) {
    const scroller = this.element.parentElement || this.element;
    const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
    put(this.list, lines.map((line) => this.#line(line)));
    while (this.list.children.length > KEPT) this.list.firstElementChild.remove();
    this.more.hidden = !(this.first > 0 || this.lines.length > KEPT) || !this.table.earlier;
    if (atEnd) scroller.scrollTop = scroller.scrollHeight;
  }

  #draw() {
    const scroller = this.element.parentElement || this.element;
    const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
    const shown = this.lines.slice(-KEPT);
    this.more.hidden = !(this.first > 0 || this.lines.length > shown.length) || !this.table.earlier;
    fill(this.list, shown.map((line) => this.#line(line)));
    if (!shown.length) this.list.append(h("li", { class: "empty" }, "Nothing has happened yet."));
    if (atEnd) scroller.scrollTop = scroller.scrollHeight;
  }

  #line(line) {
    const colour = line.seat ? this.table.owner(line.seat)?.colour : "";
    const source = { rule: line.rule, cites: line.cites, where: line.where };
    return h("li", { class: `line ${line.what}`, "data-line": line.n, vars: colour ? { "--own": colour } : {} },
      h("span", { class: "said" }, line.text),
      h("span", { class: "asides" },
        line.cites || line.rule ? h("button", { type: "button", class: "cite", onclick: () => this.table.rule(source) }, short(line.cites) || line.rule) : null,
        this.table.why ? h("button", { type: "button", class: "why", "aria-label": `Why: ${line.text}`, onclick: () => this.#why(line) }, "why") : null));
  }

  async #why(line) {
    const found = await this.table.why({ line: line.n });
    if (found) dialog("Why", h("blockquote", {}, line.text), explanation(found, this.table));
  }

  async #earlier() {
    const found = await this.table.earlier(Math.max(0, this.first - KEPT), this.first);
    if (!found) return;
    this.lines = [...found.lines, ...this.lines];
    this.first = found.from;
    const before = this.list.scrollHeight;
    this.#draw();
    this.element.parentElement?.scrollBy(0, this.list.scrollHeight - before);
  }
}

const short = (cites) => (cites || "").split(" · ")[0];
