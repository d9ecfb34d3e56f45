// How pieces look, as the rules say: shapes in the colour of their owner.

import { s } from "./dom.js";
import { sign } from "./map.js";

const DISC = "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0z";

/** One stack of pieces of an owner, as the board draws it. */
export function stackOf(table, { owner, piece, number, states }) {
  const look = table.looks[piece] || { shapes: [DISC], size: 10, text: "", told: piece };
  const who = table.owner(owner);
  const turned = Object.entries(states || {}).map(([state, n]) => `${n} ${state}`).join(", ");
  const away = Object.values(states || {}).reduce((a, b) => a + b, 0);
  return {
    shapes: look.shapes.length ? look.shapes : [DISC],
    colour: who?.colour || "#111111",
    ink: look.ink,
    size: look.size || 10,
    text: `${look.text || ""}${number > 1 || !look.text ? number : ""}`,
    title: `${who?.title || owner}: ${number} ${look.told || piece}${turned ? ` (${turned})` : ""}`,
    faded: away >= number,
  };
}

/** All stacks by place, for the board. */
export function standing(table, pieces) {
  const places = new Map();
  for (const one of pieces) {
    if (!table.spots[one.place]) continue;
    if (!places.has(one.place)) places.set(one.place, []);
    places.get(one.place).push(stackOf(table, one));
  }
  return [...places].map(([place, stacks]) => ({ place, stacks }));
}

/** A small picture of a stack. */
export function pieceSign(table, one) {
  return sign(stackOf(table, one));
}

/** The marks of places that depend on the position: lines, hatches and signs above the ground. */
export function drawMarks(layer, shapes, spots, marks) {
  layer.replaceChildren();
  const shift = new Map();
  for (const mark of marks) {
    if (!spots[mark.place]) continue;
    for (const shape of shapes[mark.place] || []) {
      if (!mark.line && !mark.hatch && !mark.fill) continue;
      const copy = s(shape.tagName);
      for (const name of ["d", "cx", "cy", "r", "fill-rule"]) if (shape.hasAttribute(name)) copy.setAttribute(name, shape.getAttribute(name));
      copy.setAttribute("fill", mark.fill || mark.hatch || "none");
      copy.setAttribute("fill-opacity", mark.fill ? "0.5" : mark.hatch ? "0.3" : "0");
      if (mark.line) copy.setAttribute("stroke", mark.line);
      copy.setAttribute("stroke-width", mark.line ? "4" : "0");
      copy.setAttribute("stroke-opacity", "0.8");
      layer.append(copy);
    }
    if (!mark.shapes.length && !mark.text) continue;
    const at = shift.get(mark.place) || 0;
    shift.set(mark.place, at + 1);
    const { x, y } = spots[mark.place];
    const scale = (mark.size || 9) / 10;
    const group = s("g", { transform: `translate(${x + 20 + at * 14} ${y})` });
    mark.shapes.forEach((shape, index) => group.append(s("path", {
      d: shape, transform: `scale(${scale})`, fill: mark.colours[Math.min(index, mark.colours.length - 1)] || "#fffdf6",
      stroke: mark.ink || "#3c3a36", "stroke-width": 1.3 / scale, "fill-rule": "evenodd",
    })));
    if (mark.text) group.append(s("text", { y: 4.2, "text-anchor": "middle" }, mark.text));
    layer.append(group);
  }
}
