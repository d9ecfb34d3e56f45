// Small charts, drawn with lines: a value of everybody over the turns, and a track with everybody on it.

import { h, inkOn, s, swatch } from "./dom.js";

const WIDE = 640;
const HIGH = 240;
const EDGE = { left: 42, right: 14, top: 14, bottom: 30 };

/** Round numbers between two, about so many. */
function ticks(low, high, about = 5) {
  const span = Math.max(high - low, 1);
  const rough = span / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((one) => one * power >= rough) * power);
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step);
}

/** `series`: `[{title, colour, points: [[turn, value]], own}]`. */
export function lineChart(title, series) {
  const points = series.flatMap((one) => one.points);
  if (points.length < 2) return h("p", { class: "empty" }, "The chart begins with the second turn.");
  const [turns, values] = [points.map((one) => one[0]), points.map((one) => one[1])];
  const [first, last] = [Math.min(...turns), Math.max(...turns, Math.min(...turns) + 1)];
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const x = (turn) => EDGE.left + ((turn - first) / (last - first)) * (WIDE - EDGE.left - EDGE.right);
  const y = (value) => HIGH - EDGE.bottom - ((value - low) / (high - low)) * (HIGH - EDGE.top - EDGE.bottom);
  const chart = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": `${title} over the turns` });
  for (const tick of ticks(low, high, 4)) {
    chart.append(s("line", { class: "grid", x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(tick), y2: y(tick) }),
      s("text", { class: "tick", x: EDGE.left - 7, y: y(tick) + 4, "text-anchor": "end" }, tick));
  }
  for (const tick of ticks(first, last, 8)) {
    chart.append(s("text", { class: "tick", x: x(tick), y: HIGH - 9, "text-anchor": "middle" }, tick));
  }
  for (const one of [...series].sort((a, b) => Number(a.own) - Number(b.own))) {
    if (!one.points.length) continue;
    const path = one.points.map(([turn, value], index) => `${index ? "L" : "M"}${x(turn).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    const [turn, value] = one.points[one.points.length - 1];
    chart.append(s("g", { class: one.own ? "serie own" : "serie" },
      s("title", {}, `${one.title}: ${value}`),
      s("path", { class: "casing", d: path }),
      s("path", { class: "stroke", d: path, stroke: one.colour }),
      s("circle", { cx: x(turn), cy: y(value), r: one.own ? 5 : 4, fill: one.colour })));
  }
  return h("figure", { class: "chart-box" }, chart);
}

/**
 * What players move along, a row for each: `track` has the stretches of everybody, `places` are
 * `[{id, title, colour, value, own}]`, `told(thing)` gives what a stretch is called.
 */
export function ladder(title, track, places, told, open) {
  const of = (one) => track.stretches[one.id] || [];
  const last = Math.max(1, ...places.flatMap((one) => [one.value ?? 0, ...of(one).map(([, from]) => from)]));
  const kinds = [...new Map(places.flatMap(of)).keys()];
  const shade = (index) => ({ "--shade": `${10 + (index * 70) / Math.max(1, kinds.length - 1)}%` });
  const at = (one, step) => of(one).filter(([, from]) => from <= step).pop()?.[0];
  const row = (one) => h("tr", { class: one.own ? "own" : "", "data-seat": one.id },
    h("th", { scope: "row" }, swatch(one.colour), one.title),
    Array.from({ length: last + 1 }, (_, step) => h("td", {
      class: step === one.value ? "step here" : "step", vars: { ...shade(kinds.indexOf(at(one, step))), "--own": one.colour, "--on": inkOn(one.colour) },
      title: [step, told(at(one, step) || "")].filter((part) => part !== "").join(": "),
    }, step === one.value ? step : null)));
  const own = places.find((one) => one.own);
  const next = own && of(own).find(([, from]) => from > (own.value ?? 0));
  return h("figure", { class: "ladder" },
    h("table", { "aria-label": title }, h("tbody", {}, places.map(row))),
    h("ul", { class: "stretches" }, kinds.map((thing, index) => h("li", {}, h("button", { type: "button", class: "stretch", onclick: () => open(thing) },
      h("span", { class: "step", "aria-hidden": "true", vars: shade(index) }), told(thing))))),
    own ? h("figcaption", {}, `${own.title}: ${[own.value ?? "?", told(at(own, own.value ?? 0) || "")].filter((part) => part !== "").join(", ")}.${next ? ` ${told(next[0])} begins with ${next[1]}.` : ""}`) : null);
}

/** Everybody on a line by a value: `[{title, colour, value, own}]`; those at one point are stacked. */
export function track(title, places) {
  const known = places.filter((one) => typeof one.value === "number");
  if (!known.length) return null;
  const values = known.map((one) => one.value);
  const high = Math.max(1, ...values);
  const least = Math.min(...values);
  const low = least > high / 2 ? Math.max(0, Math.floor(least - Math.max(3, high - least))) : Math.min(0, least);
  const heaps = new Map();
  for (const one of known) heaps.set(one.value, [...(heaps.get(one.value) || []), one]);
  const tallest = Math.max(...[...heaps.values()].map((one) => one.length));
  const bottom = 26 + tallest * 21;
  const x = (value) => 26 + ((value - low) / (high - low || 1)) * (WIDE - 52);
  const told = known.map((one) => `${one.title} ${one.value}`).join(", ");
  const chart = s("svg", { viewBox: `0 0 ${WIDE} ${bottom + 8}`, class: "chart track", role: "img", "aria-label": `${title}: ${told}` },
    s("line", { class: "rail", x1: 18, x2: WIDE - 18, y1: bottom - 18, y2: bottom - 18 }));
  const steps = high - low <= 30 ? Array.from({ length: high - low + 1 }, (_, n) => low + n) : ticks(low, high, 8);
  for (const step of steps) {
    chart.append(s("line", { class: "rung", x1: x(step), x2: x(step), y1: bottom - 22, y2: bottom - 14 }),
      s("text", { class: "tick", x: x(step), y: bottom + 1, "text-anchor": "middle" }, step));
  }
  for (const [value, heap] of heaps) {
    heap.forEach((one, index) => chart.append(s("g", { class: one.own ? "marker own" : "marker", transform: `translate(${x(value)} ${bottom - 32 - index * 21})` },
      s("title", {}, `${one.title}: ${one.value}`),
      s("circle", { r: 9, fill: one.colour }),
      s("text", { y: 4, "text-anchor": "middle", fill: inkOn(one.colour) }, one.title.slice(0, 1)))));
  }
  return h("figure", { class: "chart-box" }, chart);
}
