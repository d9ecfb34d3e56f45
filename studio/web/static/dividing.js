// An amount for each of several, as the rules allow: chosen one by one, the rest filled up.

import { key } from "./asking.js";
import { h, swatch } from "./dom.js";
import { told } from "./options.js";

/** Amounts as pairs: members may be numbers, which are no names. */
function pairs(asking, given = asking.given) {
  return asking.decision.options.filter((one) => one.value in given).map((one) => [one.value, given[one.value]]);
}

/** Show what is to be divided, and what each may still have. */
export function divide(asking) {
  asking.ask({ chosen: pairs(asking) }, ({ amounts }) => {
    const { prompt, options, total } = asking.decision;
    const open = new Map(amounts.map(({ value, amounts: possible }) => [key(value), possible]));
    const given = Object.values(asking.given).reduce((a, b) => a + b, 0);
    const settled = [...open.values()].every((possible) => possible.length === 1);
    asking.light(options.map((one) => ({ ...one, chosen: asking.given[one.value] > 0 })), (one) => {
      [...asking.element.querySelectorAll("select")].find((select) => select.dataset.member === String(one.value))?.focus();
    });
    const answer = () => {
      const whole = { ...asking.given };
      for (const one of options) if (!(one.value in whole)) [whole[one.value]] = open.get(key(one.value));
      asking.send(pairs(asking, whole));
    };
    asking.draw(asking.head(prompt),
      h("p", { class: "count" }, `${given} of ${total} given`, h("progress", { max: total, value: given, "aria-label": "Given" })),
      h("ul", { class: "shares" }, options.map((one) => share(asking, one, open.get(key(one.value)) || []))),
      asking.foot(
        Object.keys(asking.given).length ? h("button", { type: "button", class: "quiet", onclick: () => { asking.given = {}; divide(asking); } }, "Begin anew") : null,
        settled ? null : h("button", { type: "button", class: "fill", onclick: () => filled(asking) }, "Fill up"),
        h("button", { type: "button", class: "main confirm", disabled: !settled, onclick: answer }, "Divide so")));
  });
}

/** One member with the amounts it may have; where there is but one, it is told. */
function share(asking, one, possible) {
  const set = asking.given[one.value];
  const only = set === undefined && possible.length === 1;
  const choose = (event) => {
    if (event.target.value === "") delete asking.given[one.value];
    else asking.given[one.value] = Number(event.target.value);
    divide(asking);
  };
  return h("li", { class: set !== undefined || only ? "share set" : "share", "data-place": one.place },
    h("span", { class: "share-name" }, one.owner ? swatch(asking.table.ownerColour(one.owner)) : null, one.label, told("small", "", one, asking.table)),
    only
      ? h("output", { "aria-label": one.label }, possible[0])
      : h("select", { "aria-label": one.label, onchange: choose, "data-member": String(one.value) },
        h("option", { value: "" }, set === undefined ? "–" : "take back"),
        (set === undefined ? possible : [set]).map((n) => h("option", { value: n, selected: set === n }, n))));
}

/** As much as possible for each that has no amount yet, in their order. */
async function filled(asking) {
  const number = asking.number;
  for (const one of asking.decision.options) {
    if (one.value in asking.given) continue;
    const found = await asking.table.next({ decision: asking.decision.id, chosen: pairs(asking) });
    if (!found || number !== asking.number) return;
    const open = found.amounts.find((other) => key(other.value) === key(one.value));
    if (open) asking.given[one.value] = open.amounts[open.amounts.length - 1];
  }
  divide(asking);
}
