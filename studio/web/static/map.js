// The board: the picture the server draws, and above it layers of our own for what stands there and
// for what may be chosen. Which places there are and how pieces look comes from the rules.

import { ICONS, fill, h, inkOn, s, tool } from "./dom.js";
import { Zoom } from "./zoom.js";

const STEP = 23; // from piece to piece
const LIFT = 22; // pieces stand above the middle of their place
const NEAR = 28; // how far around its middle a place without a shape can be touched

export class Board {
  constructor(onplace = () => {}) {
    this.onplace = onplace;
    this.spots = {};
    this.lights = new Map();
    this.pieces = s("g");
    this.shine = s("g");
    this.frame = h("div", {
      class: "board", role: "group", "aria-label": "The board", tabindex: "0",
      onkeydown: (event) => this.#key(event),
      onclick: (event) => this.#click(event),
    });
    this.inside = h("div", { class: "picture" });
    this.tip = h("div", { class: "tip", role: "status", hidden: true });
    this.waits = h("p", { class: "working", role: "status" }, "The board is on its way …");
    this.frame.append(this.inside, this.waits, this.tip, h("div", { class: "board-tools" },
      tool(ICONS.plus, "Magnify", () => this.zoom?.by(1.4)),
      tool(ICONS.minus, "Make smaller", () => this.zoom?.by(1 / 1.4)),
      tool(ICONS.fit, "Show all of it", () => this.zoom?.fit())));
    this.frame.addEventListener("pointermove", (event) => this.#hover(event));
    this.frame.addEventListener("pointerleave", () => { this.tip.hidden = true; });
  }

  /** These rules have no board: cards, standings and the log take its space. */
  none() {
    this.frame.remove();
  }

  /** The picture as the server drew it, and the places on it: `{id: {x, y, title}}`. */
  load(drawing, spots) {
    const parsed = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
    const picture = document.importNode(parsed, true);
    const [, , width, height] = (picture.getAttribute("viewBox") || "0 0 1000 700").split(/\s+/).map(Number);
    for (const title of [...picture.querySelectorAll("title")]) title.remove();
    picture.setAttribute("aria-hidden", "true");
    picture.removeAttribute("role");
    this.spots = spots;
    this.pieces = s("g", { class: "pieces" });
    this.shine = s("g", { class: "shine" });
    this.over = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "over" },
      (this.veil = s("path", { class: "veil", "fill-rule": "evenodd" })), this.shine, this.pieces);
    this.whole = `M0 0H${width}V${height}H0Z`;
    this.shapes = {};
    for (const shape of picture.querySelectorAll("[data-place]")) (this.shapes[shape.dataset.place] ||= []).push(shape);
    this.#untouched();
    this.waits.remove();
    fill(this.inside, picture, this.over);
    this.zoom = new Zoom(this.frame, this.inside, width, height);
    this.zoom.fit();
    this.light([]);
  }

  /** Places that have no shape of their own in the picture are felt around their middle. */
  #untouched() {
    const layer = s("g", { class: "felt" });
    for (const [id, spot] of Object.entries(this.spots)) {
      if (this.shapes[id]) continue;
      const circle = s("circle", { cx: spot.x, cy: spot.y, r: NEAR, "data-place": id });
      this.shapes[id] = [circle];
      layer.append(circle);
    }
    this.shine.before(layer);
  }

  /** What stands where: `[{place, stacks: [{shapes, colour, ink, size, text, title, faded}]}]`. */
  stand(places) {
    const before = this.standing || new Map();
    const now = new Map();
    const drawn = places.filter((one) => this.spots[one.place]).map(({ place, stacks }) => {
      const said = JSON.stringify(stacks);
      now.set(place, said);
      const { x, y } = this.spots[place];
      const changed = this.standing && before.get(place) !== said;
      const group = s("g", { class: changed ? "here changed" : "here", "data-place": place });
      const step = Math.min(STEP, 92 / Math.max(stacks.length, 1));
      stacks.forEach((one, index) => {
        group.append(stack(one, -(step / 2) * (stacks.length - 1) + step * index, -LIFT));
      });
      return at(x, y, group);
    });
    for (const [place] of before) {
      const { x, y } = this.spots[place] || {};
      if (!now.has(place) && x !== undefined) drawn.push(at(x, y, s("circle", { class: "left", cy: -LIFT, r: 13 })));
    }
    this.standing = now;
    fill(this.pieces, drawn);
  }

  /** Light places up that may be chosen: `[{place, label, chosen}]`; `pick` gets the place. What is
   * `taken` was chosen before. */
  light(found, pick = () => {}, taken = []) {
    const held = document.activeElement?.closest?.(".light")?.dataset.place;
    this.pick = pick;
    this.lights = new Map(found.map((one) => [one.place, one]));
    fill(this.shine, taken.filter((place) => this.shapes?.[place]).map((place) => s("g", { class: "taken" }, this.#copies(place))),
      found.filter((one) => this.shapes?.[one.place]).map((one) => this.#light(one)));
    const holes = [...taken, ...found.map((one) => one.place)].flatMap((place) => this.shapes?.[place] || []).map((shape) => shape.getAttribute("d") || "");
    this.veil?.setAttribute("d", [this.whole, ...holes].join(""));
    this.frame.classList.toggle("choosing", found.length > 0);
    if (held && this.lights.has(held)) this.focus(held);
    const spots = [...this.lights.keys()].map((place) => this.spots[place]).filter(Boolean);
    if (this.zoom && spots.length && !spots.some((one) => this.zoom.sees(one.x, one.y))) this.near([...this.lights.keys()], 170);
  }

  #copies(place) {
    return this.shapes[place].map((shape) => {
      const copy = s(shape.tagName);
      for (const name of ["d", "cx", "cy", "r", "points", "transform", "fill-rule"]) {
        if (shape.hasAttribute(name)) copy.setAttribute(name, shape.getAttribute(name));
      }
      return copy;
    });
  }

  #light({ place, label, chosen }) {
    return s("g", {
      class: chosen ? "light chosen" : "light", "data-place": place, tabindex: "0", role: "button",
      "aria-label": label || this.spots[place].title, "aria-pressed": chosen ? "true" : null,
    }, this.#copies(place));
  }

  focus(place) {
    const found = [...this.shine.querySelectorAll(".light")].find((one) => one.dataset.place === place);
    found?.focus({ preventScroll: true });
    this.show(place);
  }

  /** Bring a place into sight. */
  show(place) {
    const spot = this.spots[place];
    if (spot && this.zoom) this.zoom.reveal(spot.x, spot.y);
  }

  /** Go near to some places. */
  near(places, edge = 130) {
    const spots = places.map((place) => this.spots[place]).filter(Boolean);
    if (!spots.length || !this.zoom) return;
    const [xs, ys] = [spots.map((one) => one.x), spots.map((one) => one.y)];
    this.zoom.fit([Math.min(...xs) - edge, Math.min(...ys) - edge, Math.max(...xs) + edge, Math.max(...ys) + edge]);
  }

  #click(event) {
    if (this.zoom?.dragged || event.target.closest(".board-tools")) return;
    const place = event.target.closest("[data-place]")?.dataset.place;
    if (!place) return;
    if (this.lights.has(place)) this.pick(place);
    else this.onplace(place);
  }

  #hover(event) {
    if (event.pointerType === "touch" || this.zoom?.dragged && event.buttons) return;
    const place = event.target.closest?.("[data-place]")?.dataset.place;
    this.tip.hidden = !place;
    if (!place || !this.spots[place]) return;
    const box = this.frame.getBoundingClientRect();
    const here = [...this.pieces.children].find((one) => one.dataset.place === place);
    const told = here ? [...here.children].map((one) => one.dataset.told) : [];
    if (this.tip.dataset.place !== place || this.tip.dataset.told !== told.join()) {
      fill(this.tip, h("b", {}, this.spots[place].title), told.map((one) => h("div", {}, one)));
      Object.assign(this.tip.dataset, { place, told: told.join() });
    }
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const left = Math.min(x + 16, box.width - this.tip.offsetWidth - 8);
    const top = y + 18 + this.tip.offsetHeight > box.height ? y - this.tip.offsetHeight - 12 : y + 18;
    this.tip.style.transform = `translate(${left}px, ${top}px)`;
  }

  /** Keys: from one lit place to the next in a direction; otherwise the picture moves. */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const light = event.target.closest?.(".light");
    if (light && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.pick(light.dataset.place);
      return;
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way && light) {
      const next = this.#toward(light.dataset.place, way);
      if (next) {
        event.preventDefault();
        this.focus(next);
      }
      return;
    }
    if (this.zoom?.key(event)) event.preventDefault();
  }

  #toward(from, [dx, dy]) {
    const here = this.spots[from];
    const cost = (place) => {
      const [x, y] = [this.spots[place].x - here.x, this.spots[place].y - here.y];
      const along = x * dx + y * dy;
      return along > 0 ? along + 2.5 * Math.abs(x * dy - y * dx) : Infinity;
    };
    const found = [...this.lights.keys()].filter((place) => place !== from && this.spots[place]);
    const best = found.sort((a, b) => cost(a) - cost(b))[0];
    return best && cost(best) < Infinity ? best : "";
  }
}

/** Something at a point, which grows when the picture is small, so that it can still be read. */
function at(x, y, element) {
  element.style.transform = `translate(${x}px, ${y}px) scale(var(--grow, 1))`;
  return element;
}

/** Pieces of one kind and owner: their shapes in the owner's colour, with what is written on them. */
function stack({ shapes, colour, ink, size, text, title, faded }, x, y) {
  const scale = size / 10;
  const group = s("g", { class: faded ? "stack faded" : "stack", "data-told": title });
  for (const shape of shapes) {
    group.append(s("path", {
      d: shape, transform: `translate(${x} ${y}) scale(${scale})`, fill: colour, stroke: ink || "#3c3a36",
      "stroke-width": 1.3 / scale, "fill-rule": "evenodd",
    }));
  }
  if (text) {
    group.append(s("text", { x, y: y + 4.2, "text-anchor": "middle", fill: inkOn(colour) }, text));
  }
  return group;
}

/** One stack by itself, for lists and legends. */
export function sign(one, size = 22) {
  const picture = s("svg", { viewBox: "-12 -12 24 24", width: size, height: size, class: "sign", "aria-hidden": "true" });
  picture.append(stack({ ...one, size: 10 }, 0, 0));
  return picture;
}
