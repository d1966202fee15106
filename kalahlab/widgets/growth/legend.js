// The legend of the shapes and the keys.

/** @import { Growth } from "./types.js" */

import { key, line, makeKeys, shape, word } from "../explorer/legend.js";
import { FINISHED_BOX, TRIANGLE } from "../explorer/shapes.js";
import { h, s } from "../shared/dom.js";
import { WORDS } from "../shared/metrics.js";
import { hasBars } from "./bars.js";

const KEYS = [
  ["→ ← or . ,", "step, back: one of the four states of an iteration"],
  ["N ⇧N", "next, previous iteration"],
  ["0 … 9 Enter", "go to the iteration with this number"],
  ["Home End or [ ]", "start, end"],
  ["Space", "play"],
  ["+ − F", "zoom, fit"],
  ["P", "fill the screen, for a class; then ↓ ↑ go to the next or previous iteration"],
  ["← → ↑ ↓", "move in the tree, when it has the focus"],
  ["Esc", "back to the current node"],
];

/** @type {(t: Growth) => HTMLElement} */
export function makeGrowthLegend(t) {
  const proof = t.kind === "proof";
  const counted = t.kind === "mean";
  return h(
    "div.kx-legend",
    key(shape("max", TRIANGLE.max), WORDS.max),
    key(shape("min", TRIANGLE.min), WORDS.min),
    key(shape("leaf.finished", FINISHED_BOX), t.byHand ? WORDS.given : WORDS.finished),
    counted && key(shape("max.untried", TRIANGLE.max), "never tried"),
    line("path", "path of the iteration"),
    counted && word("n 12", "visits; the more, the wider the edge. In the node: the mean, for MAX"),
    hasBars(t) && barKey(),
    proof && word("3|1", "leaves still to be proved | disproved; the squares count them, up to 4"),
    proof && key(shape("max.proved", TRIANGLE.max), "✓ proved"),
    proof && key(shape("max.disproved", TRIANGLE.max), "✗ disproved"),
    t.kind === "value" && word("−2", `in the node: ${t.fields[0]}, for MAX`),
    makeKeys(KEYS),
  );
}

const barKey = () =>
  h(
    "span.kx-key",
    s(
      "svg",
      { viewBox: "-23 0 46 8", width: 46, height: 8, "aria-hidden": "true" },
      s("rect.track", { x: -22, y: 1, width: 44, height: 6 }),
      s("rect.doubt", { x: -6, y: 1, width: 22, height: 6 }),
      s("path.hatch", { d: "M-2 1l-3 6M2 1l-3 6M6 1l-3 6M10 1l-3 6M14 1l-3 6" }),
      s("rect.wall-low", { x: -22, y: 1, width: 16, height: 6 }),
      s("path.tick", { d: "M-6 0v8" }),
    ),
    "mean for the player who selects; hatched: what doubt adds. The bar that reaches furthest is selected",
  );
