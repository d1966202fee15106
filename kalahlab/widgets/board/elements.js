// Elements. Words are set as text, never as HTML.

export const NAMES = ["South", "North"];

// An element with attributes, properties (`on…`, and what no attribute says) and children.
export function make(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "function" || typeof value === "boolean") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function drawn(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export const button = (words, onclick, more = {}) =>
  make("button", { type: "button", onclick, ...more }, words);
