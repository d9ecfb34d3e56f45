// How everybody stands: what the turn shows, as a table, on a track and over the turns.

import { fill, h, swatch } from "./dom.js";
import { ladder, lineChart, track } from "./charts.js";

export class Standings {
  /** `open` shows a player, `table` knows what things are called. */
  constructor(open, table) {
    this.open = open;
    this.table = table;
    this.element = h("section", { class: "standings" });
    this.column = null;
    this.history = [];
    this.tracks = [];
  }

  /** The standings at the end of each turn: `[{turn, values: {seat: [..]}}]`, and what players move along. */
  remember({ rows, tracks }) {
    this.history = rows;
    this.tracks = tracks;
    if (this.view) this.show(this.view);
  }

  show(view) {
    this.view = view;
    const said = JSON.stringify([view.standings, view.owners, this.column, this.history.length, this.tracks]);
    if (said === this.said) return;
    this.said = said;
    const { columns, rows, ranking } = view.standings;
    if (!columns.some((one) => one.id === this.column)) this.column = columns[columns.length - 1]?.id;
    const index = columns.findIndex((one) => one.id === this.column);
    const owner = (id) => view.owners.find((one) => one.id === id);
    const pick = (id) => { this.column = id; this.show(this.view); };
    const head = h("tr", {}, h("th", { scope: "col" }, h("span", { class: "sr" }, "Player")), columns.map((one) => h("th", { scope: "col" },
      h("button", { type: "button", class: "column", "aria-pressed": String(one.id === this.column), title: `Show ${one.title} below`, onclick: () => pick(one.id) }, one.title))));
    const body = ranking.map((id) => h("tr", { class: id === view.seat ? "own" : "", "data-seat": id },
      h("th", { scope: "row" }, h("button", { type: "button", class: "who", onclick: () => this.open(id) }, swatch(owner(id)?.colour), owner(id)?.title || id)),
      columns.map((one, at) => h("td", { class: one.id === this.column ? "marked" : "" }, rows[id]?.[at] ?? "?"))));
    const title = columns[index]?.title || "";
    const players = ranking.map((id) => ({ id, title: owner(id)?.title || id, colour: owner(id)?.colour || "#888888", own: id === view.seat }));
    const valued = (at) => players.map((one) => ({ ...one, value: rows[one.id]?.[at] }));
    const ladders = this.tracks.map((one) => {
      const at = columns.findIndex((other) => other.id === one.column);
      return at < 0 ? null : [h("h3", {}, columns[at].title), ladder(columns[at].title, one, valued(at), (thing) => (thing ? this.table.title(thing) : ""), (thing) => this.table.card(thing))];
    });
    const drawn = this.tracks.some((one) => one.column === this.column);
    const series = players.map((one) => ({
      ...one, points: this.history.map((row) => [row.turn, row.values[one.id]?.[index]]).filter(([, value]) => typeof value === "number"),
    }));
    fill(this.element,
      h("div", { class: "wide-table" }, h("table", { class: columns.length > 5 ? "many" : "" }, h("thead", {}, head), h("tbody", {}, body))),
      ladders,
      columns.length ? [
        h("h3", {}, drawn ? `${title}, turn by turn` : title),
        drawn ? null : track(title, valued(index)),
        lineChart(title, series),
      ] : null);
  }
}
