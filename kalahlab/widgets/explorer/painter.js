// The tree as SVG. Every node has a key and a signature; the document is changed only where a
// signature has changed, and only the visible part of a large tree is painted. Elements of nodes
// that are no longer shown are reused, and all edges of a kind are one path.

/** @import { Box, Drawn, Item, Key, Layout, Look, Marks, Placed, Seen, Trace } from "./types.js" */

import { put, s, set } from "../shared/dom.js";
import { DOT, FOLD, GHOST_NAME, LEAF, NODE, NODE_NAME, WINDOW } from "../shared/metrics.js";
import { fitLeaf, isWaiting, labelOf, short, signature, sizeOf } from "./appearance.js";
import { countVisitedBelow } from "./at_step.js";
import { edgesOf, LAYERS, maxAt, showsWindows } from "./edges.js";
import { describeNode } from "./explanation.js";
import { extra, moveCamera, NodePool, outside } from "./node_pool.js";
import { crosses, rings, scissors } from "./overlay.js";
import { CIRCLE, FINISHED_BOX, LEAF_BOX, RULES, TRIANGLE, VALUED_BOX } from "./shapes.js";
import { isChance, isExtra, isFinished, isTable, moveName, windowText } from "./trace.js";
import { makeBars } from "./window_bar.js";

const ALL_PAINTED = 300; // up to this number of items, the whole tree is painted

export class Painter {
  /** @type {Box | null} the part that is painted, if that is not all */
  area = null;
  /** @type {NodePool} */
  #pool;
  /** @type {boolean | null} */
  #across = null;
  #overlay = s("g.overlay", { "aria-hidden": "true" });
  #layers = LAYERS.map(() => ["line", "twin", "core"].map((part) => s(`path.${part}`)));

  // also: the nodes that another search visited, too, or null.
  /** @param {Trace} t @param {string} uid @param {string} label @param {Uint8Array | null} also */
  constructor(t, uid, label, also) {
    this.t = t;
    this.uid = uid;
    this.also = also;
    this.tree = s("g", { role: "tree", tabindex: 0, class: "tree", "aria-label": label });
    this.#pool = new NodePool(this.tree);
    this.windows = makeBars(t, WINDOW.w, WINDOW.h);
    this.dimmed = makeBars(t, WINDOW.w, WINDOW.h); // those without colours in projector mode
    const edges = s(
      "g.edges",
      { "aria-hidden": "true" },
      this.#layers.map((paths, place) => s(`g.edge.${LAYERS[place]}`, paths)),
    );
    const bars = [s("g.dimmed", this.dimmed.element), this.windows.element];
    this.camera = s("g.camera", edges, bars, this.tree, this.#overlay);
    this.element = s("svg.kx-canvas", this.camera);
  }

  /** @type {(view: Layout, k: number, marks: Marks, visible: Box | null, lookAt: (item: Item) => Look) => void} */
  paint(view, k, marks, visible, lookAt) {
    const { t } = this;
    if (this.#across !== view.across) this.#start(view.across);
    this.area = view.items.length > ALL_PAINTED ? visible : null;
    const looks = this.#looksOf(view, lookAt);
    this.#pool.place(looks, (drawn, item) => this.#dress(drawn, item));
    for (const [key, { item, look }] of looks)
      this.#paintNode(/** @type {Drawn} */ (this.#pool.nodes.get(key)), item, look, k, marks, view);
    const barred = showsWindows(t, view) ? [...looks.values()] : [];
    const [lit, dim] = [true, false].map((on) =>
      barred.filter(({ item }) => isLit(item, marks) === on),
    );
    this.windows.update(barsOf(lit));
    this.dimmed.update(barsOf(dim));
    edgesOf(t, view, marks, looks.values()).forEach(([line, twin], place) =>
      [line, twin, twin].forEach((d, part) => set(this.#layers[place][part], { d })),
    );
    set(this.tree, { "aria-activedescendant": this.uid + marks.focus });
    this.#overlay.replaceChildren(
      ...(marks.crossed ? crosses(view, marks.crossed) : scissors(t, view, k, this.#pool.nodes)),
      ...rings(t, view, marks),
    );
  }

  // Returns the visible items with their looks, by key.
  /** @type {(view: Layout, lookAt: (item: Item) => Look) => Map<Key, Seen>} */
  #looksOf(view, lookAt) {
    const looks = new Map();
    const { area } = this;
    for (const item of view.items) {
      if (area && outside(item, area)) continue;
      const look = lookAt(item);
      if (look.kind !== "hidden") looks.set(item.key, { item, look });
    }
    return looks;
  }

  /** @type {(across: boolean) => void} */
  #start(across) {
    this.#across = across;
    this.#pool.clear();
  }

  // Sets the properties that do not change while the elements show this item.
  /** @type {(drawn: Drawn, item: Item) => Drawn} */
  #dress(drawn, item) {
    const { t, also } = this;
    const i = item.id;
    const again = item.ghost ? item.ghost.extraTurn : i > 0 && isExtra(t, i);
    const name = item.ghost ? t.moves[item.ghost.move][0] : i ? moveName(t, i) : "";
    drawn.shown = drawn.label = drawn.size = "";
    drawn.table = false;
    drawn.alone = Boolean(!item.ghost && also && !also[i]);
    set(drawn.element, { id: this.uid + item.key });
    if (item.leafy) dressLeaf(drawn, item.ghost ? "" : t.brief[t.value[i]], name, again);
    else this.#dressInner(drawn, item, name, again);
    extra(drawn, "path.rules", !item.ghost && isTable(t, i) && { d: RULES });
    const windowed = t.windows && !this.#across && !item.ghost && !item.leafy;
    const entry = extra(drawn, "text.entry", windowed && { x: 0, y: WINDOW.text });
    if (entry) put(entry, windowed ? windowText(t, i) : "");
    const corner = item.leafy ? `M${LEAF.w - 3}-10h8v8Z` : "M12-22h12v12Z";
    extra(drawn, "path.alone", drawn.alone && { d: corner });
    return drawn;
  }

  /** @type {(drawn: Drawn, item: Item, name: string, again: boolean) => void} */
  #dressInner(drawn, item, name, again) {
    const max = maxAt(this.t, item);
    const chance = !item.ghost && isChance(this.t, item.id);
    drawn.triangle = chance ? CIRCLE : TRIANGLE[max ? "max" : "min"];
    drawn.table = !item.ghost && isTable(this.t, item.id);
    set(drawn.shape, { d: drawn.triangle });
    set(drawn.value, { x: 0, y: drawn.table || chance ? 5 : max ? 14 : -3 });
    const place = this.#across ? { x: -37, y: -8 } : NODE_NAME;
    set(drawn.move, { class: "move", ...place });
    put(drawn.move, labelOf(name, again));
  }

  /** @type {(drawn: Drawn, item: Item, look: Look, k: number, marks: Marks, view: Layout) => void} */
  #paintNode(drawn, item, look, k, marks, view) {
    const place = `translate(${item.x.toFixed(1)},${item.y})`;
    if (drawn.place !== place) set(drawn.element, { transform: place });
    drawn.place = place;
    const hidden =
      item.ghost || !item.hidden ? 0 : k ? countVisitedBelow(this.t, item.id, k) : item.hidden;
    const isAsked = marks.quizNode === item.key;
    const lit = isLit(item, marks);
    const shown = `${signature(look)}${hidden}${isAsked}${lit}`;
    if (drawn.shown !== shown) {
      drawn.shown = shown;
      set(drawn.element, { class: classOf(look, isAsked, lit) });
      this.#show(drawn, item, look, hidden);
    }
    this.#name(drawn, item, look, shown, marks, Boolean(view.whole));
  }

  /** @type {(drawn: Drawn, item: Item, look: Look, hidden: number) => void} */
  #show(drawn, item, look, hidden) {
    put(drawn.value, look.text);
    const { length } = look.text;
    const long = sizeOf(length);
    set(drawn.value, { class: `value${item.leafy ? drawn.size : long}` });
    if (item.ghost && !item.leafy && !this.#across)
      set(
        drawn.move,
        look.kind === "ghost" ? GHOST_NAME[maxAt(this.t, item) ? "max" : "min"] : NODE_NAME,
      );
    if (drawn.table) set(drawn.shape, { d: isWaiting(look) ? drawn.triangle : LEAF_BOX });
    extra(drawn, "circle.dot", look.kind === "wait" && { r: DOT.r, ...this.#dotPlace(item) });
    if (item.leafy && !item.ghost) set(drawn.shape, { d: leafBox(this.t, item, look) });
    const { across, down } = FOLD;
    const fold = extra(drawn, "text.fold", hidden > 0 && { x: 0, y: this.#across ? across : down });
    if (fold) put(fold, hidden ? (this.#across ? "▸ " : "▾ ") + short(hidden) : "");
  }

  /** @type {(item: Item) => { cx: number, cy: number }} */
  #dotPlace({ leafy, up }) {
    if (this.#across) return { cx: leafy ? -LEAF.w : 1 - NODE.side, cy: 0 };
    return up?.column ? { cx: -LEAF.w, cy: 0 } : { cx: 0, cy: leafy ? 0 : DOT.y };
  }

  // Sets the label of a node for screen readers.
  /** @type {(drawn: Drawn, item: Item, look: Look, shown: string, marks: Marks, whole: boolean) => void} */
  #name(drawn, item, look, shown, marks, whole) {
    const selected = marks.focus === item.key;
    const foldable = !item.ghost && (whole || !isWaiting(look));
    const opens = !foldable ? null : item.kids.length ? "true" : item.hidden > 0 ? "false" : null;
    const label = `${shown}${selected}${opens}${item.pos}${item.level}`;
    if (drawn.label === label) return;
    drawn.label = label;
    const text = [drawn.move.textContent, look.text, drawn.extras["text.fold"]?.textContent];
    const alone = drawn.alone && look.kind !== "wait" ? ", only in this search" : "";
    const mark = look.mark ? `, ${look.mark}` : "";
    set(drawn.element, {
      "aria-level": item.level,
      "aria-posinset": item.pos,
      "aria-setsize": item.up ? item.up.kids.length : 1,
      "aria-selected": String(selected),
      "aria-expanded": opens,
      "aria-label": `${text.filter(Boolean).join(" ")}: ${describeNode(this.t, item, look)}${alone}${mark}`,
    });
  }

  /** @type {(at: { x: number, y: number, z: number }, smooth: boolean) => void} */
  move(at, smooth) {
    moveCamera(this.camera, at, smooth);
  }
}

/** @type {(looks: Iterable<Seen>) => Placed[]} */
const barsOf = (looks) =>
  [...looks].flatMap(({ item, look }) => (look.bar ? [[item.x, item.y + WINDOW.y, look.bar]] : []));

// A leaf shows its value in full; its name gets the rest of the room.
/** @type {(drawn: Drawn, worth: string, name: string, again: boolean) => void} */
function dressLeaf(drawn, worth, name, again) {
  const [label, nameSize, valueSize] = fitLeaf(name, again ? "↻" : "", worth);
  drawn.size = valueSize;
  put(drawn.move, label);
  set(drawn.shape, { d: LEAF_BOX });
  set(drawn.move, { class: `move in${nameSize}`, x: -LEAF.text, y: 4 });
  set(drawn.value, { x: LEAF.text, y: 4.5 });
}

// Returns the box of a leaf. Until it is visited, it does not show what gives it its value.
/** @type {(t: Trace, item: Item, look: Look) => string} */
const leafBox = (t, { id }, look) =>
  isWaiting(look) ? LEAF_BOX : isFinished(t, id) ? FINISHED_BOX : VALUED_BOX;

// Returns whether a node keeps its colour in projector mode: the current one, the path, the cut; at
// the end, the best line.
/** @type {(item: Item, marks: Marks) => boolean} */
function isLit({ id, ghost, key }, { best, current, cutter, path }) {
  if (ghost) return id === cutter;
  return key === current || (path.size ? path : best).has(key);
}

/** @type {(look: Look, inQuiz: boolean, lit: boolean) => string} */
function classOf(look, inQuiz, lit) {
  const { kind, ahead, finished, open, cut, mark } = look;
  const extra = [
    ahead && "ahead",
    finished && "finished",
    open && "open",
    cut && "iscut",
    mark,
    inQuiz && "asked",
    lit && "lit",
  ];
  return ["node", kind, ...extra].filter(Boolean).join(" ");
}
