// Sizes in the picture of a tree, in its own coordinates: pixels at zoom 1. Those of a node are
// measured from its centre. The drawings of the report have the same sizes, from the same file.

import drawing from "../../draw/tree.json" with { type: "json" };

export const ROW = drawing.row; // height in pixels of the rows in which the contours of subtrees are stored
export const LEVEL = drawing.level; // from ply to ply, multiples of ROW
export const LEAF_STEP = drawing.leafStep; // from leaf to leaf in a column
export const LEAF = drawing.leaf; // half of a leaf's box
export const NODE = drawing.node; // half of a triangle's base, its tip and its base, half of it at the centre
export const DOT = { r: 3.5, y: -4 }; // a node not visited yet
export const WINDOW = drawing.window; // the bar below a node, and its text
export const CUT = drawing.cut; // the lines of cuts, and beside them the bound
export const EXTENT = drawing.extent; // with the name above, the bar and count below
// Half of the room beside siblings, in a tree that grows down and in one that grows across.
export const HALF = drawing.half;
export const COLUMN = drawing.column; // leaves below their parent, their room, and the bend of their edges
export const BUS = drawing.bus; // the horizontal part of edges
export const FOLD = drawing.fold; // the number of nodes below a closed node
export const NODE_NAME = drawing.name; // the place of a move's name
export const GHOST_NAME = drawing.ghostName; // the same beside a move never tried
// In a leaf's box: the font sizes of the name and the value, and the room for both.
export const LEAF_SIZES = drawing.leafSizes;
export const WORDS = drawing.words; // of the legend
export const PITCH = { leaf: 26, node: 68 }; // from sibling to sibling in a tree with one branch open
export const MAPPED = { w: 34, h: 26 }; // a node on the map: smaller, so that neighbours are apart

const LETTERS = new Map(
  Object.entries(drawing.letters).flatMap(([letters, width]) =>
    [...letters].map((letter) => /** @type {[string, number]} */ ([letter, width])),
  ),
);

// Returns an upper estimate of a text's width, for the fonts of the drawings.
/** @type {(text: string, size: number, bold?: boolean) => number} */
export function widthOf(text, size, bold = false) {
  let ems = 0;
  for (const letter of text) {
    const isSquare = (letter.codePointAt(0) ?? 0) >= 0x1100; // CJK, emoji
    ems += LETTERS.get(letter) ?? (isSquare ? drawing.squareLetter : drawing.otherLetter);
  }
  return ems * size * (bold ? drawing.boldLetter : 1);
}
