// The edges of the tree. All edges of a kind are one path.

/** @import { Item, Layout, Look, Marks, Seen, Trace } from "./types.js" */

import { BUS, COLUMN, DOT, LEAF, LEAF_STEP, NODE, WINDOW } from "../shared/metrics.js";
import { isWaiting } from "./appearance.js";
import { isExtra, isLeaf, isMax, isTable } from "./trace.js";

export const LAYERS = [
  "ghostedge",
  "waitedge",
  "doneedge",
  "bestedge",
  "pathedge",
  "pathedge.blame",
];

/** @typedef {[line: string, twin: string]} Edge The line, and what is doubled of it: an extra turn. */

// Returns the paths of each layer.
/** @type {(t: Trace, view: Layout, marks: Marks, looks: Iterable<Seen>) => Edge[]} */
export function edgesOf(t, view, marks, looks) {
  /** @type {Edge[]} */
  const edges = LAYERS.map(() => ["", ""]);
  for (const { item, look } of looks) {
    if (!item.up) continue;
    const whole = marks.path.has(item.key) || marks.best.has(item.key);
    const doubled = isDoubled(t, item, look);
    const [line, twin] = view.across
      ? edgeAcross(item, item.up, item.leafy || isBoxed(t, item, look), doubled)
      : edgeDown(
          item,
          item.up,
          edgeStart(t, item.up, look, showsWindows(t, view)),
          gapAbove(t, item, look),
          whole,
          doubled,
        );
    const layer = edges[layerOf(item, look, marks)];
    layer[0] += line;
    layer[1] += twin;
  }
  return edges;
}

// Returns whether nodes show their windows; a quiz hides them.
/** @type {(t: Trace, view: Layout) => boolean} */
export const showsWindows = (t, view) => t.windows && !view.quizzing;

/** @type {(item: Item, look: Look, marks: Marks) => number} */
function layerOf({ key }, look, marks) {
  if (look.kind === "ghost") return 0;
  if (marks.path.has(key)) return marks.blame.has(key) ? 5 : 4;
  if (isWaiting(look)) return 1;
  return marks.best.has(key) ? 3 : 2;
}

/** @type {(t: Trace, item: Item, look: Look) => boolean} */
const isDoubled = (t, item, look) =>
  item.ghost ? isWaiting(look) && item.ghost.extraTurn : isExtra(t, item.id);

/** @type {(t: Trace, item: Item) => boolean} */
export const maxAt = (t, { id, ghost }) =>
  ghost ? isMax(t, id) === ghost.extraTurn : isMax(t, id);

// A node known from the table is drawn as a leaf, but only once it has been visited.
/** @type {(t: Trace, item: Item, look: Look) => boolean} */
const isBoxed = (t, item, look) => !item.ghost && isTable(t, item.id) && !isWaiting(look);

// boxed: whether the node is drawn as a box; doubled: whether it is reached by an extra turn.
/** @type {(item: Item, up: Item, boxed: boolean, doubled: boolean) => Edge} */
export function edgeAcross(item, { x, y }, boxed, doubled) {
  const turn = x + 37;
  const end = item.x - (boxed ? LEAF.w : NODE.side);
  const dy = item.y - y;
  const r = Math.min(8, Math.abs(dy));
  const sign = Math.sign(dy);
  const corner = r < 1 ? "" : `V${item.y - sign * r}q0 ${sign * r} ${r} ${sign * r}`;
  return [
    `M${x + NODE.side} ${y}H${turn}${corner}H${end}`,
    doubled ? `M${turn + 9} ${item.y}H${end}` : "",
  ];
}

/** @type {(t: Trace, up: Item, look: Look, windows: boolean) => number} */
function edgeStart(t, up, look, windows) {
  const barred = windows && !(look.ahead && up.up); // the parent of a node that is ahead is grey
  return startBelow(barred, isMax(t, up.id));
}

// Returns how far below its centre a node's edges begin.
/** @type {(barred: boolean, max: boolean) => number} */
export const startBelow = (barred, max) => (barred ? WINDOW.end : max ? NODE.base : NODE.tip);

// start: how far below the parent the edge begins; gap: how far above the node it ends; whole:
// whether an edge to a leaf in a column is drawn from its parent on; doubled: whether the node is
// reached by an extra turn.
/** @type {(item: Item, up: Item, start: number, gap: number, whole: boolean, doubled: boolean) => Edge} */
export function edgeDown(item, up, start, gap, whole, doubled) {
  const from = up.y + start;
  if (up.column) {
    const bend = up.y + COLUMN.bend;
    const trunk =
      whole || item.pos === 1
        ? `M${up.x} ${from}V${bend}q0 6-6 6H${up.x - 26}q-8 0-8 8V${item.y}`
        : `M${up.x - 34} ${item.y - LEAF_STEP}V${item.y}`;
    return [`${trunk}H${item.x - LEAF.w}`, ""];
  }
  const bus = up.y + BUS;
  const dx = item.x - up.x;
  const r = Math.min(8, Math.abs(dx));
  const sign = Math.sign(dx);
  const end = item.y - gap;
  const corner = r < 1 ? "" : `H${item.x - sign * r}q${sign * r} 0 ${sign * r} ${r}`;
  return [`M${up.x} ${from}V${bus}${corner}V${end}`, doubled ? `M${item.x} ${bus + 9}V${end}` : ""];
}

/** @type {(t: Trace, item: Item, look: Look) => number} */
function gapAbove(t, item, look) {
  const leaf = !item.ghost && isLeaf(t, item.id);
  if (look.kind === "wait") return leaf || item.leafy ? 0 : -DOT.y;
  if (item.leafy || leaf || isBoxed(t, item, look)) return LEAF.h;
  return gapAboveTriangle(maxAt(t, item));
}

/** @type {(max: boolean) => number} */
export const gapAboveTriangle = (max) => (max ? NODE.tip - 1 : NODE.base);
