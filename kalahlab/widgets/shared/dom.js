// Helpers for elements. Text always becomes text nodes, never markup, as traces and names of
// players are untrusted.

/** @import { Attributes, Child, Model } from "./types.js" */
/** @typedef {{ written?: Record<string, string> }} Written What was set of an element. */

const SVG = "http://www.w3.org/2000/svg";

// Makes an element by its name and classes, as in `div.kx-top`, with attributes and children.
/** @type {(tag: string, ...inside: (Attributes | Child | Child[])[]) => any} */
export function h(tag, ...inside) {
  const [name, ...classes] = tag.split(".");
  return fill(document.createElement(name), classes, inside);
}

/** @type {(tag: string, ...inside: (Attributes | Child | Child[])[]) => any} */
export function s(tag, ...inside) {
  const [name, ...classes] = tag.split(".");
  return fill(document.createElementNS(SVG, name), classes, inside);
}

/** @type {(element: Element, classes: string[], inside: (Attributes | Child | Child[])[]) => any} */
function fill(element, classes, inside) {
  if (classes.length) write(element, "class", classes.join(" "));
  for (const part of inside)
    if (Array.isArray(part))
      element.append(...part.filter((child) => child != null && child !== false));
    else if (part instanceof Node || typeof part === "string") element.append(part);
    else if (part) set(element, part);
  return element;
}

// Makes a form whose fields are passed to `run` unchanged, without leaving the page.
/** @type {(run: (fields: Record<string, any>) => unknown, ...inside: (Attributes | Child | Child[])[]) => HTMLFormElement} */
export function form(run, ...inside) {
  /** @type {(event: SubmitEvent) => void} */
  const onsubmit = (event) => {
    event.preventDefault();
    run(Object.fromEntries(new FormData(element)));
  };
  const element = h("form", { onsubmit }, ...inside);
  return element;
}

// Unchanged values are not written, as that would cost a new layout. Written values are cached with
// the element, as reading them from the browser is slower.
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

// Sets attributes by name; `onclick` and the like add listeners. null and false remove an
// attribute.
/** @type {(element: Element, attributes: Attributes) => void} */
export function set(element, attributes) {
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value == null || value === false) erase(element, name);
    else write(element, name, value === true ? "" : String(value));
  }
}

// Replaces the text of an element; reusing the text node saves a new layout.
/** @type {(element: Element, text: string) => void} */
export function put(element, text) {
  const firstChild = /** @type {Text | null} */ (element.firstChild);
  if (!firstChild) element.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
}

// Writes the attribute only if it changes, as each write costs a new style.
/** @type {(element: HTMLElement, shown: boolean) => void} */
export function show(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

/** @type {(label: string, run: (event: any) => unknown, attributes?: Attributes) => HTMLButtonElement} */
export const button = (label, run, attributes) =>
  h("button", { type: "button", onclick: run, ...attributes }, label);

/** @type {(label: string, input: Element) => HTMLLabelElement} */
export const field = (label, input) => h("label.field", {}, `${label} `, input);

// Makes a labelled list of options, given as [value, text].
/** @type {(label: string, options: string[][], chosen: string, change?: ((value: string) => void) | null, name?: string | null) => HTMLLabelElement} */
export function choice(label, options, chosen, change, name = null) {
  const select = h("select", { name, onchange: () => change?.(select.value) });
  for (const [value, text] of options)
    select.append(h("option", { value, selected: value === chosen }, text));
  return field(label, select);
}

// Calls the function of each trait when it changes; returns the function that ends this.
/** @type {(model: Model, traits: Record<string, (message: any) => unknown>) => () => void} */
export function observe(model, traits) {
  for (const name in traits) model.on(`change:${name}`, traits[name]);
  return () => {
    for (const name in traits) model.off(`change:${name}`, traits[name]);
  };
}

// Calls `look` for each place of the pointer while it is pressed on an element and dragged.
/** @type {(element: HTMLElement, look: (event: PointerEvent) => void) => void} */
export function onDrag(element, look) {
  element.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    element.setPointerCapture(event.pointerId);
    look(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) look(event);
  });
}

// Sets the size of a canvas in pixels of the page, and returns its context, which is in pixels of
// the screen: `scale` times as many.
/** @type {(canvas: HTMLCanvasElement, width: number, height: number) => { context: CanvasRenderingContext2D, scale: number }} */
export function canvasOf(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  return { context: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), scale };
}

// What the browser keeps under a name; a browser that keeps nothing gives null.
/** @type {(name: string, value?: string) => string | null} */
export function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
