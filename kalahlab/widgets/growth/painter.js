// The growing tree as SVG, with the shapes of the explorer. The document is changed only where a
// node looks different, and only the visible part of a large tree is painted.

/** @import { Box, Drawn, Item, Key, Layout } from "../explorer/types.js" */
/** @import { Growth, Look, Marks, Moment, Numbers } from "./types.js" */

import { fitLeaf, labelOf, sizeOf } from "../explorer/appearance.js";
import { edgeAcross, edgeDown, gapAboveTriangle, startBelow } from "../explorer/edges.js";
import { extra, moveCamera, NodePool, outside } from "../explorer/node_pool.js";
import { FINISHED_BOX, TRIANGLE } from "../explorer/shapes.js";
import { isExtra, isMax, moveName } from "../explorer/trace.js";
import { put, s, set } from "../shared/dom.js";
import { LEAF, NODE, NODE_NAME } from "../shared/metrics.js";
import { hasBars, makeGrowthBars } from "./bars.js";
import {
  BACK_UP,
  candidatesIn,
  EVALUATE,
  isMade,
  knownAt,
  numbersAt,
  proofOf,
  SELECT,
  valuesAt,
} from "./trace.js";
import { brief, describeNode, format } from "./words.js";

const ALL_PAINTED = 300; // up to this number of items, the whole tree is painted
// The widths of edges, by the share of all visits that pass them; then the path of the iteration.
const SHARES = [0.03, 0.1, 0.25, 0.5];
const LAYERS = [...SHARES.map((_, width) => `w${width}`), "w4", "pathedge"];
const PATH = LAYERS.length - 1;

/** @typedef {{ layout: Layout, moment: Moment, marks: Marks, quizzing: boolean }} Picture */
/** @typedef {{ item: Item, look: Look, numbers: Numbers | null }} Seen */

export class GrowthPainter {
  /** @type {Box | null} the part that is painted, if that is not all */
  area = null;
  /** @type {boolean | null} */
  #across = null;
  #overlay = s("g.overlay", { "aria-hidden": "true" });
  #layers = LAYERS.map(() => ["line", "twin", "core"].map((part) => s(`path.${part}`)));
  #bars = makeGrowthBars();
  #pool;

  /** @param {Growth} t @param {string} uid */
  constructor(t, uid) {
    this.t = t;
    this.uid = uid;
    const label = `Search tree: ${t.title}`;
    this.tree = s("g", { role: "tree", tabindex: 0, class: "tree", "aria-label": label });
    this.#pool = new NodePool(this.tree);
    const groups = this.#layers.map((paths, place) => s(`g.edge.${LAYERS[place]}`, paths));
    this.edges = s("g.edges", { "aria-hidden": "true" }, groups);
    this.camera = s("g.camera", this.edges, this.#bars.element, this.tree, this.#overlay);
    this.element = s("svg.kx-canvas", this.camera);
  }

  /** @type {(picture: Picture, visible: Box | null) => void} */
  paint(picture, visible) {
    const { layout, marks, moment, quizzing } = picture;
    if (this.#across !== layout.across) this.#pool.clear();
    this.#across = layout.across;
    this.area = layout.items.length > ALL_PAINTED ? visible : null;
    const seen = this.#look(picture);
    this.#pool.place(seen, (drawn, item) => this.#dress(drawn, item));
    for (const [key, { item, look }] of seen)
      this.#paintNode(/** @type {Drawn} */ (this.#pool.nodes.get(key)), item, look, picture);
    const items = [...seen.values()].map(({ item }) => item);
    this.#bars.update(this.t, items, moment, quizzing);
    this.#paintEdges(seen, picture);
    set(this.tree, { "aria-activedescendant": this.uid + marks.focus });
    const focus = seen.get(marks.focus)?.item;
    const values = quizzing ? [] : this.#values(seen, picture);
    this.#overlay.replaceChildren(...(focus ? [ring(focus)] : []), ...values);
  }

  // Returns what is made and visible, by key.
  /** @type {(picture: Picture) => Map<Key, Seen>} */
  #look({ layout, marks, moment, quizzing }) {
    const { area, t } = this;
    const seen = new Map();
    const appeals = quizzing ? new Map() : appealsOf(t, moment, marks);
    for (const item of layout.items) {
      if ((area && outside(item, area)) || !isMade(t, item.id, moment)) continue;
      const numbers = knownAt(t, item.id, moment);
      const look = lookOf(t, item, numbers, moment, marks);
      look.appeal = item.up?.column ? "" : (appeals.get(item.id) ?? ""); // there is no room
      seen.set(item.key, { item, numbers, look });
    }
    return seen;
  }

  // Sets the properties that do not change while the elements show this item.
  /** @type {(drawn: Drawn, item: Item) => Drawn} */
  #dress(drawn, item) {
    const { t } = this;
    const max = isMax(t, item.id);
    drawn.shown = drawn.label = "";
    set(drawn.element, { id: this.uid + item.key });
    set(drawn.shape, { d: item.leafy ? FINISHED_BOX : TRIANGLE[max ? "max" : "min"] });
    set(drawn.value, { x: item.leafy ? LEAF.text : 0, y: item.leafy ? 4.5 : max ? 14 : -3 });
    if (item.leafy) set(drawn.move, { x: -LEAF.text, y: 4 });
    else {
      set(drawn.move, { class: "move", ...(this.#across ? { x: -37, y: -8 } : NODE_NAME) });
      const name = item.id ? moveName(t, item.id) : "";
      put(drawn.move, labelOf(name, item.id > 0 && isExtra(t, item.id)));
    }
    return drawn;
  }

  /** @type {(drawn: Drawn, item: Item, look: Look, picture: Picture) => void} */
  #paintNode(drawn, item, look, picture) {
    const place = `translate(${item.x.toFixed(1)},${item.y})`;
    if (drawn.place !== place) set(drawn.element, { transform: place });
    drawn.place = place;
    const { appeal, count, kind, note, text } = look;
    const lit = picture.marks.path.has(item.key) || picture.marks.current === item.key;
    const shown = `${kind} ${text} ${count} ${note} ${appeal} ${picture.marks.path.has(item.key)} ${lit}`;
    if (drawn.shown !== shown) {
      drawn.shown = shown;
      set(drawn.element, { class: `node ${kind}${lit ? " lit" : ""}` });
      put(drawn.value, text);
      if (item.leafy) this.#fit(drawn, item.id, text);
      else set(drawn.value, { class: `value${sizeOf(text.length)}` });
      this.#label(drawn, item, look, picture.marks.path.has(item.key));
    }
    this.#name(drawn, item, picture);
  }

  // Writes the name of a move beside the value in the box of a leaf.
  /** @type {(drawn: Drawn, i: number, text: string) => void} */
  #fit(drawn, i, text) {
    const [name, nameSize, valueSize] = fitLeaf(
      i ? moveName(this.t, i) : "",
      i && isExtra(this.t, i) ? "↻" : "",
      text,
    );
    put(drawn.move, name);
    set(drawn.move, { class: `move in${nameSize}` });
    set(drawn.value, { class: `value${valueSize}` });
  }

  // Writes what stands around a node: its count, what it was before, and its appeal.
  /** @type {(drawn: Drawn, item: Item, look: Look, selected: boolean) => void} */
  #label(drawn, item, { appeal, count, note }, selected) {
    const across = Boolean(this.#across) && !item.leafy;
    const below = { x: 0, y: item.leafy ? 24 : this.#across ? 40 : 42 };
    // In a tree that grows across, edges leave a node where its count would stand.
    const right = item.leafy
      ? { x: LEAF.w + 3, y: 4 }
      : { x: 11, y: isMax(this.t, item.id) ? -9 : 17 };
    const counted = extra(drawn, "text.count", count !== "" && (across ? below : right));
    if (counted) put(counted, across && note ? `${count}, ${note}` : count);
    if (counted) counted.classList.toggle("below", across);
    const noted = extra(drawn, "text.note", note !== "" && !(across && count) && below);
    if (noted) put(noted, note);
    const valued = extra(drawn, "text.appeal", appeal !== "" && { x: 25, y: 30 });
    if (valued) put(valued, appeal);
    if (valued) valued.classList.toggle("selected", selected);
  }

  // Sets the label of a node for screen readers.
  /** @type {(drawn: Drawn, item: Item, picture: Picture) => void} */
  #name(drawn, item, { marks, moment }) {
    const { t } = this;
    const selected = marks.focus === item.key;
    const opens = t.kids[item.id] ? String(item.kids.length > 0) : null;
    const name = item.id ? `move ${moveName(t, item.id)}` : "root";
    const text = `${name}: ${describeNode(t, item.id, moment)}`;
    const label = `${text}${selected}${opens}${item.pos}`;
    if (drawn.label === label) return;
    drawn.label = label;
    set(drawn.element, {
      "aria-level": item.level,
      "aria-posinset": item.pos,
      "aria-setsize": item.up ? item.up.kids.length : 1,
      "aria-selected": String(selected),
      "aria-expanded": opens,
      "aria-label": text,
    });
  }

  /** @type {(seen: Map<Key, Seen>, picture: Picture) => void} */
  #paintEdges(seen, { layout, marks }) {
    const { t } = this;
    const edges = LAYERS.map(() => ["", ""]);
    const root = seen.get(0)?.numbers?.n ?? 0;
    for (const { item, numbers } of seen.values()) {
      const { up } = item;
      if (!up) continue;
      const onPath = marks.path.has(item.key);
      const doubled = isExtra(t, item.id);
      const gap = item.leafy ? LEAF.h : gapAboveTriangle(isMax(t, item.id));
      const start = startBelow(false, isMax(t, up.id));
      const [line, twin] = layout.across
        ? edgeAcross(item, up, item.leafy, doubled)
        : edgeDown(item, up, start, gap, onPath, doubled);
      const layer = edges[onPath ? PATH : widthOf(numbers, root)];
      layer[0] += line;
      layer[1] += twin;
    }
    edges.forEach(([line, twin], place) =>
      [line, twin, twin].forEach((d, part) => set(this.#layers[place][part], { d })),
    );
    set(this.edges, { class: marks.backedUp ? "edges backed" : "edges" });
  }

  // Returns labels of the values that were given in this iteration.
  /** @type {(seen: Map<Key, Seen>, picture: Picture) => SVGElement[]} */
  #values(seen, { moment }) {
    if (moment.part !== EVALUATE) return [];
    const labels = [];
    for (const { id, how, value } of valuesAt(this.t, moment.step)) {
      const item = seen.get(id)?.item;
      if (!item || item.leafy || how === "unknown") continue; // a finished game shows its margin
      const text = `${how === "rules" ? "margin" : how} ${format(value)}`;
      const y = item.y + 44;
      const width = 6.6 * text.length + 12;
      const box = { x: item.x - width / 2, y: y - 12, width, height: 17, rx: 4 };
      labels.push(s("rect.pill", box), s("text.bound", { x: item.x, y: y + 1 }, text));
    }
    return labels;
  }

  /** @type {(at: { x: number, y: number, z: number }, smooth: boolean) => void} */
  move(at, smooth) {
    moveCamera(this.camera, at, smooth);
  }
}

// Returns what the moves along the path are worth to the players who select, while they do.
/** @type {(t: Growth, moment: Moment, marks: Marks) => Map<number, string>} */
function appealsOf(t, moment, marks) {
  /** @type {Map<number, string>} */
  const appeals = new Map();
  if (moment.part !== SELECT || !hasBars(t)) return appeals;
  for (const node of marks.path)
    for (const { id, appeal } of candidatesIn(t, Number(node), moment))
      appeals.set(id, Math.abs(appeal) < 10 ? format(appeal) : brief(appeal));
  return appeals;
}

/** @type {(t: Growth, item: Item, numbers: Numbers | null, moment: Moment, marks: Marks) => Look} */
function lookOf(t, item, numbers, moment, marks) {
  const { step, part } = moment;
  const { id, leafy } = item;
  const proof = proofOf(t, numbers);
  const isNew = t.born[id] === step && step > 0 && part !== BACK_UP;
  const untried = !numbers || numbers.n === 0;
  const kinds = [leafy ? "leaf finished" : isMax(t, id) ? "max" : "min"];
  if (isNew) kinds.push("new");
  if (untried && !proof && id) kinds.push("untried");
  if (proof && !(untried && t.kind === "mean")) kinds.push(proof > 0 ? "proved" : "disproved");
  const count = numbers && numbers.n > 0 ? `${leafy ? "" : "n "}${format(numbers.n)}` : "";
  return {
    kind: kinds.join(" "),
    text: textOf(t, numbers, proof) || marginOf(t, id, moment),
    count: item.leafy && !marks.path.has(id) ? "" : count,
    note: marks.backedUp && marks.path.has(id) ? noteOf(t, id, step) : "",
    appeal: "",
  };
}

// Returns what stands in a node.
/** @type {(t: Growth, numbers: Numbers | null, proof: number) => string} */
function textOf(t, numbers, proof) {
  if (!numbers || numbers.n === 0) return "";
  if (t.kind === "proof" && proof) return proof > 0 ? "✓" : "✗";
  if (t.kind === "proof") return `${brief(numbers.pn)}|${brief(numbers.dn)}`;
  if (t.kind === "mean") return brief(proof ? numbers.low : numbers.mean);
  return brief(numbers[t.fields[0]]);
}

// Returns the margin of a finished game that is valued for the first time; else "".
/** @type {(t: Growth, id: number, moment: Moment) => string} */
function marginOf(t, id, { step, part }) {
  if (part !== EVALUATE) return "";
  const value = valuesAt(t, step).find((row) => row.id === id && row.how === "rules");
  return value ? brief(value.value) : "";
}

// Returns what stood in a node before its numbers were changed; "" if it looked the same.
/** @type {(t: Growth, id: number, step: number) => string} */
function noteOf(t, id, step) {
  const [before, after] = [numbersAt(t, id, step - 1), numbersAt(t, id, step)];
  const text = textOf(t, before, proofOf(t, before));
  return text && text !== textOf(t, after, proofOf(t, after)) ? `was ${text}` : "";
}

// Returns the layer of an edge.
/** @type {(numbers: Numbers | null, all: number) => number} */
function widthOf(numbers, all) {
  if (!numbers?.n) return 0;
  const share = numbers.n / all;
  const layer = SHARES.findIndex((most) => share < most);
  return layer < 0 ? SHARES.length : layer;
}

/** @type {(item: Item) => SVGElement} */
function ring({ leafy, x, y }) {
  const [w, h] = leafy ? [LEAF.w + 5, LEAF.h + 5] : [NODE.w + 6, NODE.tip + 4];
  return s("rect.ring.now", { x: x - w, y: y - h, width: 2 * w, height: 2 * h, rx: 8 });
}
