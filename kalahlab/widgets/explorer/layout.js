// The nodes in the picture, and their places.
//
// Small trees grow downwards, with children that are all leaves in a column under their parent.
// Large trees grow across, a column of siblings per ply; while at most one child of each node is
// open, every column is centred on one axis, so that opening another child moves nothing.

/** @import { Box, Ghost, Item, Key, Layout, Outline, Trace } from "./types.js" */

import {
  COLUMN,
  CUT,
  EXTENT,
  GHOST_NAME,
  HALF,
  LEAF_STEP,
  LEVEL,
  NODE_NAME,
  PITCH,
  ROW,
  WINDOW,
  widthOf,
} from "../shared/metrics.js";
import { labelOf } from "./appearance.js";
import {
  cutText,
  ghostsOf,
  hasGhosts,
  isCut,
  isExtra,
  isLeaf,
  moveName,
  windowText,
} from "./trace.js";

// Returns the open part of the tree. An item is a node or a ghost, which is a move never tried;
// `hidden` is the number of nodes below a closed one.
/** @type {(t: Trace, isOpen: (id: number) => boolean, across: boolean) => Item} */
export function visibleTree(t, isOpen, across) {
  /** @type {(id: number, level: number) => Item} */
  const grow = (id, level) => {
    const node = makeItem(id, id, level, null, isLeaf(t, id));
    node.hidden = t.size[id] - 1;
    if (!across && id && !node.leafy)
      node.name = roomForName(NODE_NAME, moveName(t, id), isExtra(t, id));
    if (!across && t.windows && !node.leafy)
      node.window = widthOf(windowText(t, id), WINDOW.size) / 2;
    if ((node.hidden || hasGhosts(t, id)) && isOpen(id)) open(node, level + 1);
    return node;
  };
  /** @type {(own: Item, level: number) => void} */
  const open = (node, level) => {
    node.hidden = 0;
    for (let c = node.id + 1; c < node.id + t.size[node.id]; c += t.size[c])
      node.kids.push(grow(c, level));
    ghostsOf(t, node.id).forEach((ghost, place) => {
      const kid = makeItem(node.id, `${node.id}/${place}`, level, ghost, ghost.cost === 1);
      const end = isCut(t, node.id) ? GHOST_NAME.max : NODE_NAME;
      if (!across && !kid.leafy)
        kid.name = roomForName(end, t.moves[ghost.move][0], ghost.extraTurn);
      node.kids.push(kid);
    });
    node.column = !across && node.kids.every((kid) => kid.leafy);
    if (!across && isCut(t, node.id))
      node.cut = CUT.text.gap + widthOf(cutText(t, node.id), CUT.text.size, true);
  };
  return grow(0, 1);
}

/** @type {(id: number, key: Key, level: number, ghost: Ghost | null, leafy: boolean) => Item} */
export const makeItem = (id, key, level, ghost, leafy) => ({
  id,
  key,
  level,
  ghost,
  leafy,
  kids: [],
  column: false,
  x: 0,
  y: 0,
  dx: 0,
  dy: 0,
  up: null,
  pos: 1,
  hidden: 0,
  window: 0,
  cut: 0,
  name: 0,
});

// Returns how far the name of a move reaches to the left of its node.
/** @type {(end: { x: number }, name: string, again: boolean) => number} */
export const roomForName = ({ x }, name, again) =>
  widthOf(labelOf(name, again), NODE_NAME.size) - x;

// t: the sizes of the whole tree, which the frame of a tree with one open branch is made for.
// step: from ply to ply, a multiple of ROW; gap: between siblings.
/** @type {(root: Item, t: { widest: number, plies: number }, across: boolean, step?: number, gap?: number) => Layout} */
export function layOut(
  root,
  t,
  across,
  step = across ? LEVEL.across : LEVEL.down,
  gap = across ? 2 : 8,
) {
  arrange(root, step, gap, across);
  const spine = across && isSpine(root);
  if (spine) centre(root);
  /** @type {Item[]} */
  const items = [];
  const box = { l: 0, r: 0, t: 0, b: 0 };
  /** @type {(item: Item, x: number, y: number) => void} */
  const walk = (item, x, y) => {
    [item.x, item.y] = across ? [y, x] : [x, y];
    items.push(item);
    include(box, item);
    item.kids.forEach((kid, index) => {
      kid.up = item;
      kid.pos = index + 1;
      walk(kid, x + kid.dx, y + kid.dy);
    });
    if (item.cut) box.r = Math.max(box.r, rightOfCut(item) + item.cut);
  };
  walk(root, 0, 0);
  // The frame is the same for every step of a search, so that the camera need not move.
  if (spine) {
    const half = Math.max((t.widest * PITCH.node) / 2, box.b - EXTENT.down, -box.t - EXTENT.up);
    Object.assign(box, { r: t.plies * step + EXTENT.x, t: -half - 6, b: half + 16 });
  }
  return { items, box, across, at: new Map(items.map((item) => [item.key, item])) };
}

// Widens a box to contain an item with its labels.
/** @type {(box: Box, at: { x: number, y: number, hidden?: number, window?: number }) => void} */
export function include(box, { x, y, hidden, window = 0 }) {
  const side = Math.max(EXTENT.x, window);
  box.l = Math.min(box.l, x - side);
  box.r = Math.max(box.r, x + side);
  box.t = Math.min(box.t, y - EXTENT.up);
  box.b = Math.max(box.b, y + (hidden ? EXTENT.fold : EXTENT.down));
}

/** @type {(outer: Box, inner: Box) => boolean} */
export const contains = (outer, inner) =>
  outer.l <= inner.l && outer.r >= inner.r && outer.t <= inner.t && outer.b >= inner.b;

// Reingold and Tilford, "Tidier drawings of trees" (IEEE TSE 7(2), 1981), with contours in rows,
// so that columns of leaves and rows of nodes mix. Packing children to the left and packing them
// to the right are both tidy, hence so is their mean, which is symmetric.
/** @type {(item: Item, step: number, gap: number, across: boolean) => Outline} */
function arrange(item, step, gap, across) {
  const half = Math.max(
    HALF[across ? "across" : "down"][item.leafy ? "leaf" : "node"],
    item.window,
  );
  /** @type {Outline} */
  const outline = { left: [], right: [] };
  /** @type {(from: number, to: number, left: number, right: number) => void} */
  const widen = (from, to, left, right) => {
    for (let row = from; row < to; row++) {
      outline.left[row] = Math.min(outline.left[row] ?? left, left);
      outline.right[row] = Math.max(outline.right[row] ?? right, right);
    }
  };
  // Rows begin 36 pixels above the node.
  widen(0, item.kids.length ? step / ROW : 8, -half, half);
  if (item.name) widen(0, 4, Math.min(-half, -item.name), half);
  if (item.column) {
    item.kids.forEach((kid, index) =>
      Object.assign(kid, { dx: COLUMN.x, dy: COLUMN.y + index * LEAF_STEP }),
    );
    widen(7, 9 + 2 * item.kids.length, -COLUMN.l, COLUMN.r);
  } else if (item.kids.length) {
    const outlines = item.kids.map((kid) => arrange(kid, step, gap, across));
    const offsets = spread(outlines, gap);
    const middle = (offsets[0] + offsets[offsets.length - 1]) / 2;
    item.kids.forEach((kid, n) => {
      Object.assign(kid, { dx: offsets[n] - middle, dy: step });
      const { left, right } = outlines[n];
      for (let row = 0; row < left.length; row++)
        if (left[row] !== undefined) {
          const down = row + step / ROW;
          widen(down, down + 1, left[row] + kid.dx, right[row] + kid.dx);
        }
    });
  }
  if (item.cut) makeRoomForCut(item, step, widen);
  return outline;
}

// Returns the right end of the line of a cut, in a tree that grows down.
/** @type {(item: Item) => number} */
export const rightOfCut = ({ column, kids, x }) =>
  column ? x + CUT.column.right : kids[kids.length - 1].x + CUT.row.side;

// Keeps room for the bound beside the line of a cut.
/** @type {(item: Item, step: number, widen: (from: number, to: number, left: number, right: number) => void) => void} */
function makeRoomForCut(item, step, widen) {
  const first = /** @type {Item} */ (item.kids.find((kid) => kid.ghost));
  const last = item.kids[item.kids.length - 1];
  const [left, right, y] = item.column
    ? [CUT.column.left, CUT.column.right, first.dy - LEAF_STEP / 2]
    : [first.dx - CUT.row.side, last.dx + CUT.row.side, step - CUT.row.up];
  const row = Math.floor((y - 8 + 36) / ROW);
  widen(row, row + 3, left - CUT.text.scissors, right + item.cut);
}

// Returns the offsets of outlines beside each other, the first at 0.
/** @type {(outlines: Outline[], gap: number) => number[]} */
function spread(outlines, gap) {
  const last = outlines.length - 1;
  /** @type {number[]} */
  const packed = [0];
  let edge = [...outlines[0].right];
  for (let n = 1; n <= last; n++) {
    const { left, right } = outlines[n];
    packed[n] = packed[n - 1];
    for (let row = 0; row < left.length; row++)
      if (edge[row] !== undefined && left[row] !== undefined)
        packed[n] = Math.max(packed[n], edge[row] - left[row] + gap);
    for (let row = 0; row < right.length; row++)
      if (right[row] !== undefined)
        edge[row] = Math.max(edge[row] ?? -Infinity, packed[n] + right[row]);
  }
  /** @type {number[]} */
  const back = [];
  back[last] = packed[last];
  edge = outlines[last].left.map((x) => x + back[last]);
  for (let n = last - 1; n >= 0; n--) {
    const { left, right } = outlines[n];
    back[n] = back[n + 1];
    for (let row = 0; row < right.length; row++)
      if (edge[row] !== undefined && right[row] !== undefined)
        back[n] = Math.min(back[n], edge[row] - right[row] - gap);
    for (let row = 0; row < left.length; row++)
      if (left[row] !== undefined) edge[row] = Math.min(edge[row] ?? Infinity, back[n] + left[row]);
  }
  return packed.map((x, n) => (x + back[n]) / 2);
}

/** @type {(item: Item) => boolean} */
function isSpine(item) {
  const grown = item.kids.filter((kid) => kid.kids.length);
  return grown.length < 2 && grown.every(isSpine);
}

// Centres every column on the root's axis.
/** @type {(item: Item, axis?: number) => void} */
function centre(item, axis = 0) {
  const widths = item.kids.map((kid) => PITCH[kid.leafy ? "leaf" : "node"]);
  let edge = -widths.reduce((sum, width) => sum + width, 0) / 2;
  item.kids.forEach((kid, n) => {
    kid.dx = edge + widths[n] / 2 - axis;
    edge += widths[n];
    centre(kid, axis + kid.dx);
  });
}
