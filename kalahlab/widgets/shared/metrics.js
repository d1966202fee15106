// Sizes in the picture of a tree, in its own coordinates: pixels at zoom 1. Those of a node are
// measured from its centre.

export const ROW = 12; // height in pixels of the rows in which the contours of subtrees are stored
export const LEVEL = { down: 9 * ROW, across: 8 * ROW }; // from ply to ply
export const LEAF_STEP = 2 * ROW; // from leaf to leaf in a column
export const LEAF = { w: 27, h: 10 }; // half of a leaf's box
export const NODE = { w: 27, tip: 22, base: 17, side: 15 }; // half of a triangle's base, its tip and its base, half of it at the centre
export const DOT = { r: 3.5, y: -4 }; // a node not visited yet
export const WINDOW = { w: 44, h: 6, y: 23 }; // the bar below a node
export const EXTENT = { x: 42, up: 34, down: 46 }; // with the name above, the bar and count below
// Half of the room beside siblings, in a tree that grows down and in one that grows across.
export const HALF = { down: { leaf: 29, node: 29, ghost: 42 }, across: { leaf: 13, node: 33 } };
export const COLUMN = { x: 4, y: 64, l: 37, r: 33 }; // leaves below their parent, and their room
export const PITCH = { leaf: 26, node: 68 }; // from sibling to sibling in a tree with one branch open
export const MAPPED = { w: 34, h: 26 }; // a node on the map: smaller, so that neighbours are apart
