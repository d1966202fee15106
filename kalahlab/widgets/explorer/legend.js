// The legend of the shapes and the keys.

import { h, s } from "../shared/dom.js";
import { WORDS } from "../shared/metrics.js";
import { CIRCLE, FINISHED_BOX, LEAF_BOX, RULES, SCISSORS, TRIANGLE, VALUED_BOX } from "./shapes.js";
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
    key(shape("max", TRIANGLE.max), WORDS.max),
    key(shape("min", TRIANGLE.min), WORDS.min),
    traces.some(hasChance) && key(shape("chance", CIRCLE), WORDS.chance),
    key(shape("leaf", VALUED_BOX), WORDS.leaf),
    key(shape("leaf.finished", FINISHED_BOX), traces[0].byHand ? WORDS.given : WORDS.finished),
    traces.some((t) => t.unit === "probability") && word("0.5", WORDS.probability),
    key(
      shape("grey", TRIANGLE.max),
      traces.some(leavesMovesOut) ? "not visited, or not yet" : "not visited yet",
    ),
    key(s("circle.spot", { r: 9 }), "not visited yet, in a quiz"),
    traces.some(hasTable) &&
      key([shape("max", LEAF_BOX), s("path.rules", { d: RULES })], WORDS.table),
    traces.some(hasProbes) && word("n?", WORDS.probe),
    key(s("path.twins", { d: "M-6-20V20M6-20V20" }), WORDS.extra),
    line("path", "current path"),
    line("best", WORDS.best),
    traces.some((t) => t.cutSteps.length) && key(shape("ghost", TRIANGLE.max), WORDS.ghost),
    traces.some((t) => t.cutSteps.length) &&
      key(
        [
          s("path.cutline", { d: "M-8 0H28" }),
          s("path.scissors", { d: SCISSORS, transform: "translate(-19 0) scale(1.6)" }),
        ],
        WORDS.cut,
      ),
    traces.some(takesBest) && word("≥ ≤", WORDS.bound),
    word("▾ n", WORDS.fold),
    traces.some((t) => t.windows) && word("[α, β]", WORDS.window),
    traces.some((t) => t.asking) && word("> n?", WORDS.question),
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
    WORDS.bar,
  );
