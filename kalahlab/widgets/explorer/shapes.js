// The shapes of nodes and signs, as paths around their centre.

import { LEAF, NODE } from "../shared/metrics.js";

// Triangles that point up for MAX (1) and down for MIN (-1), as in the figures.
/** @type {(up: number) => string} */
const triangle = (up) => `M0 ${-NODE.tip * up} ${NODE.w} ${NODE.base * up}H${-NODE.w}Z`;
export const TRIANGLE = { max: triangle(1), min: triangle(-1) };
// A circle as high as a triangle, where chance moves.
const R = (NODE.tip + NODE.base) / 2;
export const CIRCLE = `M0-${R}a${R} ${R} 0 1 0 .1 0Z`;
export const LEAF_BOX = `M${5 - LEAF.w}-${LEAF.h}h${2 * LEAF.w - 10}q5 0 5 5v${2 * LEAF.h - 10}q0 5-5 5h${10 - 2 * LEAF.w}q-5 0-5-5v${10 - 2 * LEAF.h}q0-5 5-5Z`;
export const RULES = "M-22.5-10V10M22.5-10V10"; // in a leaf's box
export const SCISSORS =
  "M-3-2.6 7 3.4M-3 2.6 7-3.4M-5.2-6.2a2.4 2.4 0 1 0 .1 0ZM-5.2 1.4a2.4 2.4 0 1 0 .1 0Z";
