// All tables of the server, for whoever has the key of the house: what can be archived and deleted.

import { Wrong, get, post } from "./api.js";
import { fill, h, notice, sure } from "./dom.js";

const PUT_AWAY = {
  archive: ["Archive", "Its links stop working, and it makes room for others. Its save is kept.", "The table was archived."],
  delete: ["Delete", "The game and its save are lost for ever. This cannot be taken back.", "The table was deleted."],
};

/** A list of all tables with what can be done about each; nothing if the key is not one of the house. */
export async function allTables(key) {
  const body = h("tbody");
  const count = h("span", { class: "soft" });
  const draw = async () => {
    const { tables } = await get("/api/tables", key);
    count.textContent = ` (${tables.length})`;
    fill(body, tables.map((one) => h("tr", { "data-table": one.table },
      h("td", {}, h("b", {}, one.stack), h("br"), h("small", {}, one.table)),
      h("td", {}, one.state),
      h("td", {}, one.people.join(", ") || "only programs"),
      h("td", {}, new Date(one.changed).toLocaleString()),
      h("td", {}, Object.keys(PUT_AWAY).map((how) => h("button", { type: "button", class: `quiet ${how}`, onclick: () => putAway(one, how) }, PUT_AWAY[how][0]))))));
  };
  const putAway = async (one, how) => {
    const [word, told, done] = PUT_AWAY[how];
    if (!await sure(`${word} the table ${one.table}?`, told, `${word} it`)) return;
    try {
      await post("/api/house", { do: how, table: one.table }, key);
      notice(done, "", "told");
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      notice(error.message, error.source);
    }
    await draw();
  };
  try {
    await draw();
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return null;
  }
  return h("section", { class: "sheet card house" }, h("h2", {}, "All tables of this server", count),
    h("div", { class: "wide-table" }, h("table", {}, h("thead", {}, h("tr", {}, ["Game", "State", "People", "Last answer", ""].map((title) => h("th", { scope: "col" }, title)))), body)));
}
