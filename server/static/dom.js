/** Small helpers to make elements. Texts are set as text, never as markup. */

export const byId = (id) => document.getElementById(id);

/** An element: attributes (functions are listeners, false and null are left out), then children. */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(3).filter((child) => child != null && child !== false));
  return element;
}

export function button(text, click, attributes = {}) {
  return el("button", { type: "button", click, ...attributes }, text);
}

/** New content for an element. The element with focus keeps it, if there is one with its id afterwards. */
export function fill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.id : "";
  parent.replaceChildren(...children.flat(3).filter((child) => child != null && child !== false));
  if (focused) byId(focused)?.focus({ preventScroll: true });
}

const PIPS = [[], [5], [1, 9], [1, 5, 9], [1, 3, 7, 9], [1, 3, 5, 7, 9], [1, 3, 4, 6, 7, 9]];

/** The picture of a face; none for 0. */
export function face(number) {
  const dots = PIPS[number].map((at) =>
    svg("circle", { cx: 6 + 9 * ((at - 1) % 3), cy: 6 + 9 * Math.floor((at - 1) / 3), r: 3 }),
  );
  return svg("svg", { viewBox: "0 0 30 30", "aria-hidden": "true", class: "face" }, dots);
}

/** Dice in a row, with their numbers for those who do not see them. */
export function diceRow(dice) {
  return el(
    "span",
    { class: "dice-row", role: "img", "aria-label": dice.join(" ") },
    dice.map((number) => el("span", { class: "small-die" }, face(number))),
  );
}
