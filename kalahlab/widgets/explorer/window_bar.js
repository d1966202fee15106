// A window as two walls that close in: alpha's from the left, beta's from the right.

import { s, set } from "../shared/dom.js";
import { barX } from "./appearance.js";
import { finite } from "./at_step.js";

/** @import { Bar, Placed, Trace } from "./types.js" */

const PARTS = ["track", "wall-low", "wall-high", "cross", "tick"];
/** @type {(x: number, y: number, width: number, height: number) => string} */
const box = (x, y, width, height) => (width > 0 ? `M${x} ${y}h${width}v${height}h${-width}Z` : "");

// Makes the bars of one tree; each part of all bars is a single path. `update` takes [x, y, bar] of
// each: the middle of its upper edge, and the places of alpha, beta and the best value so far.
/** @type {(t: Trace, width: number, height: number) => { element: SVGGElement, update(bars: Placed[]): void }} */
export function makeBars(t, width, height) {
  const paths = PARTS.map((part) => s(`path.${part}`));
  const element = s("g.bar", { "aria-hidden": "true" }, paths);
  /** @type {(bars: Placed[]) => void} */
  const update = (bars) => {
    const parts = bars.map(([x, y, look]) => partsOf(x, y, look));
    paths.forEach((path, part) => set(path, { d: parts.map((bar) => bar[part]).join("") }));
  };

  /** @type {(x: number, y: number, look: Bar) => string[]} */
  function partsOf(x, y, [alpha, beta, value]) {
    const left = x - width / 2;
    const a = x + barX(t, alpha, width);
    const b = x + barX(t, beta, width);
    const best = x + barX(t, value, width);
    return [
      box(left, y, width, height),
      box(left, y, a - left, height),
      box(b, y, left + width - b, height),
      alpha >= beta ? box(Math.min(a, b) - 2, y - 1.5, Math.abs(a - b) + 4, height + 3) : "",
      finite(t, value) ? `M${best.toFixed(1)} ${y - 2}v${height + 4}` : "",
    ];
  }

  return { element, update };
}
