// Keys for everything: a digit picks an option, Escape goes back.

import { dialog, h } from "./dom.js";

const KEYS = [
  ["1 … 9", "pick an option by its place in the list"],
  ["Enter", "confirm what is chosen, or press the button in focus"],
  ["Escape", "one step back"],
  ["D", "done, pass, or none"],
  ["U", "take back the last answer"],
  ["B", "go to the board; arrows then go from one lit place to the next"],
  ["Q", "go to what you are asked"],
  ["+ − 0", "on the board: magnify, make smaller, show all of it"],
  ["/", "find an option by typing"],
  ["?", "this window"],
];

export function helpWindow() {
  return dialog("Keys and help",
    h("p", {}, "Lit places on the board can be chosen: click one, then the next, until the action is complete. The list beside the board offers the same. Drag to move the picture, pinch or use the wheel to magnify it."),
    h("dl", { class: "keys" }, KEYS.map(([key, told]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, told)])));
}

/** Listen to keys as long as a table is open. Gives a way to stop. */
export function shortcuts(table) {
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest("input, select, textarea");
    const panel = table.asking.element;
    const key = event.key.toLowerCase();
    const press = (wanted) => { const found = panel.querySelector(wanted); if (found && !found.disabled) { event.preventDefault(); found.click(); } };
    if (event.key === "Escape") {
      if (typing) typing.blur();
      table.asking.back();
    } else if (typing) {
      return;
    } else if (/^[1-9]$/.test(event.key) && !event.target.closest(".board")) {
      press(`.options li:nth-child(${event.key}) button.option`);
    } else if (event.key === "Enter" && !event.target.closest("button, a, .light")) press(".foot .confirm");
    else if (key === "d") press(".foot .end, .foot .none");
    else if (key === "u") table.undo();
    else if (key === "q") panel.scrollIntoView({ block: "nearest" }), table.asking.focus();
    else if (key === "b") {
      const first = table.board.shine?.querySelector(".light");
      if (first) table.board.focus(first.dataset.place);
      else table.board.frame.focus();
    } else if (event.key === "/") {
      event.preventDefault();
      panel.querySelector(".filter")?.focus();
    } else if (event.key === "?") helpWindow();
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}
