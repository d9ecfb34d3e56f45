// A table that does not load until its host has chosen how it goes on.

import { get, post } from "./api.js";
import { fill, h } from "./dom.js";

/** Show the host of a table why it does not load, and what can be done; false if there is nothing. */
export async function showStuck(page, id, hostKey, chrome, again) {
  const path = `/api/tables/${encodeURIComponent(id)}`;
  const told = await get(path, hostKey).then(() => null, (error) => error);
  if (!told?.ways) return false;
  const { begun, now, answers, changes } = told.ways;
  const status = h("p", { role: "status" });
  const choose = async (body, done) => {
    fill(status, "One moment …");
    try {
      await post(`${path}/host`, body, hostKey);
      done();
    } catch (error) {
      fill(status, error.message);
    }
  };
  const button = (text, body, done = again, style = "") => h("button", { type: "button", class: style, onclick: () => choose(body, done) }, text);
  const nowText = answers === null ? `Go on after answer ${now}, the last that is sound`
    : now === answers ? "Go on by the rules found now"
      : `Go on by the rules found now, after ${now} of ${answers} answers`;
  const archived = () => fill(page, chrome.heading(""), h("main", { class: "lobby" }, h("section", { class: "sheet card" },
    h("h1", {}, "The table was archived"), h("p", {}, "Its save lies in the folder `archive` beside the other tables."))));
  fill(page, chrome.heading(""), h("main", { class: "lobby" }, h("section", { class: "sheet card stuck", role: "alert" },
    h("h1", {}, "This table waits for you"),
    h("p", {}, told.message),
    changes.length ? h("ul", {}, changes.map((line) => h("li", {}, line.trim()))) : null,
    h("div", { class: "actions-row" },
      begun ? button("Go on by the rules it began with", { do: "go_on", by: "begun" }, again, "begun") : null,
      now === null ? null : button(nowText, { do: "go_on", by: "now" }, again, "now"),
      button("Read the packs again", { do: "reload" }),
      button("Archive this table", { do: "archive" }, archived, "danger archive")),
    h("p", {}, "Whatever you choose, the save of before is kept as it is."), status)));
  return true;
}
