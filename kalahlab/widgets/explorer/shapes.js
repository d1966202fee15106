// The shapes of nodes and signs, as paths around their centre.

import { LEAF, NODE } from "../shared/metrics.js";

// Triangles that point up for MAX (1) and down for MIN (-1), as in the figures.
/** @type {(up: number) => string} */
const triangle = (up) => `M0 ${-NODE.tip * up} ${NODE.w} ${NODE.base * up}H${-NODE.w}Z`;
export const TRIANGLE = { max: triangle(1), min: triangle(-1) };
// A circle as high as a triangle, where chance moves.
const R = (NODE.tip + NODE.base) / 2;
export const CIRCLE = `M0-${R}a${R} ${R} 0 1 0 .1 0Z`;
// A leaf with a static value is round; a finished game is square, with a double line.
/** @type {(w: number, h: number, r: number) => string} */
const box = (w, h, r) =>
  `M${r - w}-${h}h${2 * (w - r)}q${r} 0 ${r} ${r}v${2 * (h - r)}q0 ${r}-${r} ${r}h${2 * (r - w)}q-${r} 0-${r}-${r}v${2 * (r - h)}q0-${r} ${r}-${r}Z`;
export const LEAF_BOX = box(LEAF.w, LEAF.h, 5); // a leaf that is not valued yet, and a table's value
export const VALUED_BOX = box(LEAF.w, LEAF.h, 9);
export const FINISHED_BOX = box(LEAF.w, LEAF.h, 2) + box(LEAF.w - 3, LEAF.h - 3, 1);
export const RULES = `M${4.5 - LEAF.w}-10V10M${LEAF.w - 4.5}-10V10`; // in a leaf's box
export const SCISSORS =
  "M-3-2.6 7 3.4M-3 2.6 7-3.4M-5.2-6.2a2.4 2.4 0 1 0 .1 0ZM-5.2 1.4a2.4 2.4 0 1 0 .1 0Z";
