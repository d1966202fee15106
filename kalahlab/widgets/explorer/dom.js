// Elements. Text always becomes text nodes, never markup: what a trace says is only ever shown.

const SVG = "http://www.w3.org/2000/svg";

export const h = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

function fill(element, attributes, children) {
  set(element, attributes ?? {});
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

// Attributes by name; `onclick` and the like are listeners. null and false take one away.
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value == null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
}

export const button = (label, run, attributes) =>
  h("button", { type: "button", class: "kx-button", onclick: run, ...attributes }, label);

export function choice(label, options, chosen, change) {
  const select = h("select", { onchange: () => change?.(select.value) });
  for (const [value, text] of options)
    select.append(h("option", { value, selected: value === chosen }, text));
  return { select, element: h("label", { class: "kx-field" }, label, select) };
}
