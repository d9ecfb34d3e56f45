// Elements made from data. Text is always text: nothing here reads markup, so a name in a pack that
// looks like markup is shown as it is written.

const SVG = "http://www.w3.org/2000/svg";

/** An element: `h("button", {class: "quiet", onclick: go}, "Text", child, null)`. */
export function h(tag, given = {}, ...children) {
  return filled(document.createElement(tag), given, children);
}

/** The same for drawings. */
export function s(tag, given = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), given, children);
}

function filled(element, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const one of Object.entries(value)) element.style.setProperty(...one);
    else if (value === true && name in element) element[name] = true;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  put(element, ...children);
  return element;
}

/** Add children; text for text, nothing for nothing. */
export function put(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** Replace what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  return put(element, ...children);
}

/** A drawn sign for a button; its name is said by the button itself. */
export function icon(path, size = 20) {
  return s("svg", { viewBox: "0 0 24 24", width: size, height: size, class: "icon", "aria-hidden": "true" },
    s("path", { d: path }));
}

export const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  close: "m6 6 12 12M18 6 6 18",
  back: "m14 6-6 6 6 6",
  forward: "m10 6 6 6-6 6",
  menu: "M4 7h16M4 12h16M4 17h16",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  check: "m5 13 4 4L19 7",
  play: "M8 5v14l11-7z",
  pause: "M8 5v14M16 5v14",
};

/** A round button with a sign. */
export function tool(path, label, onclick, given = {}) {
  return h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick, ...given }, icon(path));
}

/** A window over the page, closed by Escape, its button or a click beside it. */
export function dialog(title, ...content) {
  const close = () => { box.close(); };
  const box = h("dialog", { class: "window", "aria-label": title, onclick: (event) => { if (event.target === box) close(); } },
    h("div", { class: "window-inside" },
      h("header", {}, h("h2", {}, title), tool(ICONS.close, "Close", close)),
      h("div", { class: "window-body" }, ...content)));
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Ask before something that cannot be taken back; says whether it shall be done. */
export function sure(title, text, label) {
  return new Promise((done) => {
    const box = dialog(title, h("p", {}, text), h("footer", { class: "foot" },
      h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "No, go back"),
      h("button", { type: "button", class: "danger sure", onclick: () => { done(true); box.close(); } }, label)));
    box.addEventListener("close", () => done(false));
  });
}

/** A sentence at the edge of the page that goes by itself; errors stay until they are closed. */
export function notice(text, source = "", sort = "wrong") {
  const list = document.getElementById("notices");
  const gone = () => one.remove();
  const one = h("div", { class: `notice ${sort}`, role: sort === "wrong" ? "alert" : "status" },
    h("div", {}, h("p", {}, text), source ? h("p", { class: "source" }, source) : null),
    tool(ICONS.close, "Close", gone));
  const same = [...list.children].find((other) => other.textContent === one.textContent);
  if (same) same.remove();
  list.append(one);
  if (sort !== "wrong") setTimeout(gone, 5000);
  return one;
}

/** Tabs with panels: `{id: [title, element]}`; arrows go from one to the next. */
export function tabs(label, pages, chosen, onchange = () => {}) {
  const ids = Object.keys(pages);
  const bar = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  const panels = h("div", { class: "panels" });
  const buttons = {};
  const show = (id, focus = false) => {
    for (const other of ids) {
      buttons[other].setAttribute("aria-selected", String(other === id));
      buttons[other].tabIndex = other === id ? 0 : -1;
      pages[other][1].hidden = other !== id;
    }
    if (focus) buttons[id].focus();
    onchange(id);
  };
  for (const id of ids) {
    const [title, panel] = pages[id];
    buttons[id] = h("button", {
      type: "button", role: "tab", id: `tab-${id}`, "data-tab": id, "aria-controls": `panel-${id}`,
      onclick: () => show(id),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        show(ids[(ids.indexOf(id) + step + ids.length) % ids.length], true);
      },
    }, title);
    panel.id = `panel-${id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    bar.append(buttons[id]);
    panels.append(panel);
  }
  show(chosen in pages ? chosen : ids[0]);
  return { bar, panels, show };
}

/** What fits a colour: letters that can be read on it. */
export function inkOn(colour) {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour || "");
  if (!digits) return "#3c3a36";
  const full = digits[1].length === 3 ? [...digits[1]].map((one) => one + one).join("") : digits[1];
  const [r, g, b] = [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16) / 255);
  return Math.hypot(r * 0.55, g * 0.75, b * 0.3) > 0.55 ? "#2a2926" : "#ffffff";
}

/** A small square in somebody's colour. */
export function swatch(colour) {
  return h("span", { class: "swatch", "aria-hidden": "true", vars: { "--own": colour || "#8a857a" } });
}
