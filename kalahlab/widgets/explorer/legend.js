// The legend of the shapes and the keys.

import { h, s } from "../shared/dom.js";
import { CIRCLE, LEAF_BOX, RULES, TRIANGLE } from "./shapes.js";
import { hasChance, hasProbes, hasTable, leavesMovesOut, takesBest } from "./trace.js";

/** @import { Trace } from "./types.js" */

const KEYS = [
  ["→ ← or . ,", "step, back"],
  ["C ⇧C", "next, previous cut"],
  ["Home End or [ ]", "start, end"],
  ["Space", "play"],
  ["+ − F", "zoom, fit"],
  ["P", "fill the screen, for a class; then → ← step, ↓ ↑ go to the next or previous cut"],
  ["← → ↑ ↓", "move in the tree, when it has the focus"],
  ["Home End", "first, last node, when the tree has the focus"],
  ["Enter", "go to the end of this node"],
  ["*", "open all siblings"],
  ["Esc", "back to the current node"],
];

/** @type {(traces: Trace[], alone: boolean, editable: boolean) => HTMLElement} */
export function makeLegend(traces, alone, editable) {
  const keys = editable ? [...KEYS, ["⇧← ⇧→", "try a move earlier, later"]] : KEYS;
  return h(
    "div.kx-legend",
    key(shape("max", TRIANGLE.max), "MAX to move"),
    key(shape("min", TRIANGLE.min), "MIN to move"),
    traces.some(hasChance) && key(shape("chance", CIRCLE), "chance moves: the mean counts"),
    key(shape("leaf", LEAF_BOX), "leaf, valued by the evaluator"),
    key(
      shape("leaf.finished", LEAF_BOX),
      traces[0].byHand ? "leaf, its given value" : "finished game, its true value",
    ),
    traces.some((t) => t.unit === "probability") && word("0.5", "the probability that MAX wins"),
    key(
      shape("grey", TRIANGLE.max),
      traces.some(leavesMovesOut) ? "not visited, or not yet" : "not visited yet",
    ),
    key(s("circle.spot", { r: 9 }), "not visited yet, in a quiz"),
    traces.some(hasTable) &&
      key([shape("max", LEAF_BOX), s("path.rules", { d: RULES })], "known from the table"),
    traces.some(hasProbes) && word("n?", "move in a null-window test"),
    key(s("path.twins", { d: "M-6-20V20M6-20V20" }), "↻ extra turn: the same player again"),
    line("path", "current path"),
    line("best", "best line so far"),
    traces.some((t) => t.cutSteps.length) &&
      key(shape("ghost", TRIANGLE.max), "cut, never visited (nodes)"),
    traces.some(takesBest) &&
      word("≥ ≤", "at least, at most: a value outside its window is only a bound"),
    word("▸ 78", "closed: 78 nodes visited below"),
    traces.some((t) => t.windows) && windowKey(),
    line(
      "bars",
      `who moves at each level, over time${traces.some(takesBest) ? "; below, the value so far" : ""}`,
    ),
    alone && key(s("path.alone", { d: "M-10-10h24v24Z" }), "only in this search"),
    makeKeys(keys),
  );
}

/** @type {(keys: string[][]) => HTMLElement} */
export const makeKeys = (keys) =>
  h(
    "details.kx-help",
    h("summary", "Keys"),
    h(
      "dl",
      keys.flatMap(([name, text]) => [h("dt", name), h("dd", text)]),
    ),
  );

/** @type {(cls: string, d: string) => SVGElement} */
export const shape = (cls, d) => s(`g.node.${cls}`, s("path.shape", { d }));

/** @type {(picture: SVGElement | SVGElement[], text: string) => HTMLElement} */
export const key = (picture, text) =>
  h(
    "span.kx-key",
    s("svg", { viewBox: "-30 -24 60 48", width: 22, height: 18, "aria-hidden": "true" }, picture),
    text,
  );

/** @type {(sign: string, text: string) => HTMLElement} */
export const word = (sign, text) => h("span.kx-key", h("b", sign), text);

/** @type {(cls: string, text: string) => HTMLElement} */
export const line = (cls, text) => h("span.kx-key", h(`i.sample.${cls}`), text);

const windowKey = () =>
  h(
    "span.kx-key",
    s(
      "svg",
      { viewBox: "-23 0 46 8", width: 46, height: 8, "aria-hidden": "true" },
      s("rect.track", { x: -22, y: 1, width: 44, height: 6 }),
      s("rect.wall-low", { x: -22, y: 1, width: 12, height: 6 }),
      s("rect.wall-high", { x: 8, y: 1, width: 14, height: 6 }),
      s("path.tick", { d: "M-1 0v8" }),
    ),
    "window: the empty part is from α to β, where a value can matter; the tick is the value so far",
  );
