// What the host of a table may do: take back, let programs play, give keys anew, end it, reload its packs.

import { dialog, fill, h, notice, sure, swatch } from "./dom.js";
import { copied, seatLink } from "./links.js";

export function hostMenu(table) {
  const list = h("ul", { class: "host-seats" });
  const links = h("div", { class: "new-links", role: "status" });
  const told = async (work, done) => { if (await work) notice(done, "", "told"); };
  const linked = (what, key) => fill(links, h("p", {}, `The link for ${what}:`), copied(seatLink(table.id, key)));
  const draw = () => fill(list, table.view.owners.filter((one) => one.player).map((one) => h("li", { "data-seat": one.id },
    swatch(one.colour), h("b", {}, one.title), h("span", { class: "badge" }, one.by === "person" ? one.name || "person" : one.by),
    one.by === "person"
      ? h("button", { type: "button", class: "to-bot", onclick: () => seat(one, { do: "bot", seat: one.id }) }, "Let a program play")
      : h("button", { type: "button", class: "to-person", onclick: () => seat(one, { do: "person", seat: one.id }) }, "Give back to a person"),
    one.by === "person" ? h("button", { type: "button", class: "quiet", onclick: () => anew(one.title, () => seat(one, { do: "key", seat: one.id })) }, "New link") : null)));
  const anew = async (whose, work) => {
    if (await sure(`A new link for ${whose}?`, `The old link of ${whose} stops working at once, in every window that has it open. This cannot be taken back.`, "Make a new link")) await work();
  };
  const seat = async (one, body) => {
    const found = await table.host(body);
    if (!found) return;
    if (found.key) linked(one.title, found.key);
    await table.refresh();
    draw();
  };
  const onlookers = async () => {
    const found = await table.host({ do: "key", seat: "view" });
    if (found?.key) linked("onlookers", found.key);
  };
  const end = async () => {
    if (!await sure("End this table?", "Nobody can play on here afterwards. The save stays, but the table cannot be opened again.", "End this table")) return;
    if (await table.host({ do: "end" })) {
      box.close();
      notice("The table has ended. Its save stays.", "", "told");
    }
  };
  const away = async (what, told, button, done) => {
    if (!await sure(`${what} this table?`, told, button)) return;
    if (await table.host({ do: what.toLowerCase() })) {
      box.close();
      notice(done, "", "told");
    }
  };
  draw();
  const box = dialog("The host of this table",
    h("div", { class: "actions-row" },
      h("button", { type: "button", onclick: () => table.host({ do: "undo" }) }, "Take back the last answer"),
      h("button", { type: "button", onclick: () => table.host({ do: "redo" }) }, "Give it again"),
      h("button", { type: "button", class: "reload", onclick: () => told(table.host({ do: "reload" }), "The packs were read again, and every answer still holds.") }, "Read the packs again")),
    h("h3", {}, "Seats"), list, links,
    h("p", {}, h("button", { type: "button", onclick: () => anew("onlookers", onlookers) }, "A new link for onlookers")),
    h("p", {}, h("button", { type: "button", class: "danger", onclick: end }, "End this table"), " ",
      h("button", { type: "button", class: "danger archive", onclick: () => away("Archive", "Its links stop working, and it makes room for others. Its save is kept.", "Archive this table", "The table was archived. Its save is kept.") }, "Archive it"), " ",
      h("button", { type: "button", class: "danger delete", onclick: () => away("Delete", "The game and its save are lost for ever. This cannot be taken back.", "Delete this table", "The table and its save were deleted.") }, "Delete it")));
  return box;
}
