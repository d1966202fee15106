// Elements. Text always becomes text nodes, never markup: what a trace or a player's name says is
// only ever shown.

/** @import { Attributes, Child, Model } from "./types.js" */
/** @typedef {{ written?: Record<string, string> }} Written What was set of an element. */

const SVG = "http://www.w3.org/2000/svg";

/** @type {(tag: string, attributes?: Attributes | null, ...children: (Child | Child[])[]) => any} */
export const h = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** @type {(tag: string, attributes?: Attributes | null, ...children: (Child | Child[])[]) => any} */
export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** @type {(element: Element, attributes: Attributes | null | undefined, children: (Child | Child[])[]) => any} */
function fill(element, attributes, children) {
  set(element, attributes ?? {});
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

// What is the same already is not written: that would cost a new layout. What was written is kept
// beside the element, as the browser takes longer to say it.
/** @type {(element: Element & Written, name: string, value: string) => void} */
function write(element, name, value) {
  element.written ??= {};
  if (element.written[name] === value) return;
  element.written[name] = value;
  element.setAttribute(name, value);
}

/** @type {(element: Element & Written, name: string) => void} */
function erase(element, name) {
  if (element.written) delete element.written[name];
  element.removeAttribute(name);
}

// Attributes by name; `onclick` and the like are listeners. null and false take one away.
/** @type {(element: Element, attributes: Attributes) => void} */
export function set(element, attributes) {
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value == null || value === false) erase(element, name);
    else write(element, name, value === true ? "" : String(value));
  }
}

// Text in place of what an element says: a text node that stays is not styled and placed anew.
/** @type {(element: Element, text: string) => void} */
export function put(element, text) {
  const firstChild = /** @type {Text | null} */ (element.firstChild);
  if (!firstChild) element.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
}

// The attribute is written only if that changes it: each writing is styled anew.
/** @type {(element: HTMLElement, shown: boolean) => void} */
export function show(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

/** @type {(label: string, run: (event: any) => unknown, attributes?: Attributes) => HTMLButtonElement} */
export const button = (label, run, attributes) =>
  h("button", { type: "button", onclick: run, ...attributes }, label);

/** @type {(label: string, input: Element) => HTMLLabelElement} */
export const field = (label, input) => h("label", { class: "field" }, `${label} `, input);

// A labelled list of [value, text] pairs to choose from.
/** @type {(label: string, options: string[][], chosen: string, change?: ((value: string) => void) | null, name?: string | null) => HTMLLabelElement} */
export function choice(label, options, chosen, change, name = null) {
  const select = h("select", { name, onchange: () => change?.(select.value) });
  for (const [value, text] of options)
    select.append(h("option", { value, selected: value === chosen }, text));
  return field(label, select);
}

// Calls `hear` for each trait that changes, by name; gives the function that ends it.
/** @type {(model: Model, traits: Record<string, (message: any) => unknown>) => () => void} */
export function observe(model, traits) {
  for (const name in traits) model.on(`change:${name}`, traits[name]);
  return () => {
    for (const name in traits) model.off(`change:${name}`, traits[name]);
  };
}
