// The elements of the nodes of a tree. Elements of nodes that are no longer shown are reused.

/** @import { Box, Drawn, Item, Key } from "./types.js" */

import { s, set } from "../shared/dom.js";

export class NodePool {
  /** @type {Map<Key, Drawn>} */
  nodes = new Map();
  #tree;

  /** @param {SVGElement} tree the parent of the elements */
  constructor(tree) {
    this.#tree = tree;
  }

  clear() {
    this.#tree.replaceChildren();
    this.nodes = new Map();
  }

  // Gives each node its elements, in the order of the tree. `dress` sets what does not change while
  // the elements show an item.
  /** @type {(looks: Map<Key, { item: Item }>, dress: (drawn: Drawn, item: Item) => Drawn) => void} */
  place(looks, dress) {
    const reusable = this.#mostNew(looks) ? new Map() : this.nodes;
    const free = new Set(); // elements whose nodes are gone
    for (const [key, { element }] of this.nodes)
      if (!reusable.has(key) || !looks.has(key)) free.add(element);
    let fresh = looks.size - (this.nodes.size - free.size); // nodes without elements
    const nodes = new Map();
    /** @type {any} */
    let next = this.#tree.firstChild;
    for (const [key, { item }] of looks) {
      let drawn = reusable.get(key);
      if (!drawn) {
        drawn = dress(takeElement(free, next) ?? makeNode(), item);
        fresh--;
      } else if (!fresh) while (free.has(next)) next = next.nextSibling;
      if (next === drawn.element) next = next.nextSibling;
      else this.#tree.insertBefore(drawn.element, next);
      nodes.set(key, drawn);
      drawn.element.item = item;
    }
    for (const element of free) element.remove();
    this.nodes = nodes;
  }

  // If most nodes are new, no node keeps its elements: leaving elements in place is faster than
  // moving them.
  /** @type {(looks: Map<Key, unknown>) => boolean} */
  #mostNew(looks) {
    let fresh = 0;
    for (const key of looks.keys()) if (!this.nodes.has(key)) fresh++;
    return 2 * fresh > looks.size;
  }
}

// Takes the elements of a node that is no longer shown, preferably those already in place.
/** @type {(free: Set<any>, next: any) => Drawn | undefined} */
function takeElement(free, next) {
  const element = free.has(next) ? next : free.values().next().value;
  free.delete(element);
  return element?.drawn;
}

/** @returns {Drawn} */
function makeNode() {
  const [shape, move, value] = [s("path.shape"), s("text"), s("text")];
  const inside = s("g", { "aria-hidden": "true" }, shape, move, " ", value, " ");
  const element = s("g", { role: "treeitem" }, inside);
  element.drawn = { shape, move, value, inside, element, extras: {} };
  return element.drawn;
}

// Returns an element that few nodes need: made at its first use and then kept, with an empty path
// if it is hidden.
/** @type {(drawn: Drawn, tag: string, attributes: { d?: string, r?: number, x?: number, y?: number } | false) => any} */
export function extra({ extras, inside }, tag, attributes) {
  if (attributes) extras[tag] ??= inside.appendChild(s(tag));
  if (extras[tag]) set(extras[tag], attributes || { d: "" });
  return extras[tag];
}

/** @type {(camera: any, at: { x: number, y: number, z: number }, smooth: boolean) => void} */
export function moveCamera({ style, classList }, { x, y, z }, smooth) {
  style.transition = smooth ? "" : "none";
  style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) scale(${z.toFixed(4)})`;
  classList.toggle("far", z < 0.55);
  classList.toggle("tiny", z < 0.28);
}

/** @type {(item: Item, area: Box) => boolean} */
export function outside({ x, y, up }, area) {
  const from = up ?? { x, y };
  return (
    Math.max(x, from.x) < area.l ||
    Math.min(x, from.x) > area.r ||
    Math.max(y, from.y) < area.t ||
    Math.min(y, from.y) > area.b
  );
}
