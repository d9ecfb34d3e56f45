// Which page this is, by its address; light and dark; what is at the top of every page.

import { HOME, Wrong, address } from "./api.js";
import { ICONS, fill, h, notice, s, tool } from "./dom.js";

const page = document.getElementById("page");
let leave = () => {};

// ---- light and dark

const dark = matchMedia("(prefers-color-scheme: dark)");
function theme() {
  document.documentElement.dataset.theme = localStorage.getItem("theme") || (dark.matches ? "dark" : "light");
}
dark.addEventListener("change", theme);
theme();

function otherTheme() {
  localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  theme();
}

// ---- the head of a page

function brand() {
  return h("a", { class: "brand", href: HOME, "aria-label": "Ziggurat: the lobby" },
    s("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" },
      s("rect", { width: 32, height: 32, rx: 7, class: "brand-ground" }),
      s("path", { d: "M13 7h6v5h4v5h4v8H5v-8h4v-5h4z", class: "brand-steps" })),
    h("span", {}, "Ziggurat"));
}

const chrome = {
  title: (text) => { document.title = `${text} · Ziggurat`; },
  /** The top of a table or replay, which has little room. */
  top: (...parts) => h("header", { class: "top table-top" }, brand(), parts, tool(ICONS.moon, "Light or dark", otherTheme)),
  /** The top of the other pages, with ways to them. */
  heading: (current) => h("header", { class: "top" }, brand(), h("nav", { "aria-label": "Pages" },
    [["/", "Tables"], ["/workshop", "Workshop"], ["/replay", "Replays"]].map(([href, title]) => h("a", { href: address(href), "aria-current": href === current ? "page" : null }, title)),
    tool(ICONS.moon, "Light or dark", otherTheme))),
};

// ---- addresses

/** The parts of this address below where the server's pages begin. */
function parts() {
  return location.pathname.slice(HOME.length).split("/");
}

async function open() {
  leave();
  leave = () => {};
  const [first, second] = parts();
  const keys = location.hash.slice(1).split(".").filter(Boolean);
  if (first === "t" && second) {
    const { tablePage } = await import("./table.js");
    const { remember } = await import("./lobby.js");
    const [key, host] = keys.length > 1 ? keys : [keys[0], ""];
    leave = await tablePage(page, decodeURIComponent(second), [key, host], chrome, remember);
  } else if (first === "workshop") {
    const { workshopPage } = await import("./workshop.js");
    leave = await workshopPage(page, chrome);
  } else if (first === "replay") {
    const { replayPage } = await import("./replay.js");
    leave = await replayPage(page, second ? decodeURIComponent(second) : "", chrome);
  } else {
    const { Lobby } = await import("./lobby.js");
    const lobby = new Lobby(keys[0] || "");
    chrome.title("Tables");
    fill(page, chrome.heading("/"), lobby.element);
    await lobby.load();
  }
}

/** Whether the table of this address waits for its host, whose key is in it, and is shown so. */
async function isStuck() {
  const [first, id] = parts();
  const host = location.hash.slice(1).split(".").filter(Boolean).at(-1);
  if (first !== "t" || !id || !host) return false;
  const { showStuck } = await import("./stuck.js");
  return showStuck(page, decodeURIComponent(id), host, chrome, safely);
}

async function safely() {
  try {
    await open();
  } catch (error) {
    if (error instanceof Wrong && error.status === 409 && await isStuck()) return;
    const known = error instanceof Wrong;
    if (!known) console.error(error);
    fill(page, chrome.heading(""), h("main", { class: "lobby" }, h("section", { class: "sheet card failed", role: "alert" },
      h("h1", {}, known && error.status === 404 ? "There is nothing here" : "This cannot be opened"),
      h("p", {}, known ? error.message : "The page is mistaken. Reload it; if that does not help, tell its makers."),
      h("p", {}, h("button", { type: "button", onclick: () => location.reload() }, "Try again")))));
  }
}

addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof Wrong) notice(event.reason.message, event.reason.source);
});
addEventListener("hashchange", () => { if (parts()[0] !== "replay") safely(); });
safely();
