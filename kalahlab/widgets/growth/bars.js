// The bars below the nodes. For a search with a mean and a doubt: what the move is worth to the
// player who chooses it, and what doubt adds; the move whose bar reaches furthest is selected. For
// proof-number search: squares, as many as leaves are still to be proved, and to be disproved.

/** @import { Item } from "../explorer/types.js" */
/** @import { Candidate, Growth, Moment } from "./types.js" */

import { isMax } from "../explorer/trace.js";
import { s, set } from "../shared/dom.js";
import { WINDOW } from "../shared/metrics.js";
import { candidatesIn, knownAt } from "./trace.js";

const PARTS = ["track", "doubt", "hatch", "wall-low", "wall-high", "tick"];
const [TRACK, DOUBT, HATCH, LOW, HIGH, TICK] = PARTS.keys();
const MOST_SQUARES = 4; // a side
const SQUARE = { side: 5, step: 6 };

/** @type {(x: number, y: number, width: number, height: number) => string} */
const box = (x, y, width, height) =>
  width > 0 ? `M${x.toFixed(1)} ${y}h${width.toFixed(1)}v${height}h${(-width).toFixed(1)}Z` : "";

// Each part of all bars is one path.
/** @type {() => { element: SVGGElement, update(t: Growth, items: Item[], moment: Moment, quizzing: boolean): void }} */
export function makeGrowthBars() {
  const paths = PARTS.map((part) => s(`path.${part}`));
  const element = s("g.bar", { "aria-hidden": "true" }, paths);
  /** @type {(t: Growth, items: Item[], moment: Moment, quizzing: boolean) => void} */
  function update(t, items, moment, quizzing) {
    const parts = PARTS.map(() => "");
    if (t.kind === "proof") for (const item of items) addSquares(parts, t, item, moment);
    else if (hasBars(t) && !quizzing) addBars(parts, t, items, moment);
    paths.forEach((path, index) => set(path, { d: parts[index] }));
  }
  return { element, update };
}

/** @type {(t: Growth) => boolean} */
export const hasBars = (t) => t.kind === "mean" && t.terms.length > 1;

/** @type {(parts: string[], t: Growth, items: Item[], moment: Moment) => void} */
function addBars(parts, t, items, moment) {
  const families = Map.groupBy(
    items.filter(({ up }) => up && !up.column), // leaves in a column have no room for bars
    (item) => t.parent[item.id],
  );
  for (const [parent, siblings] of families) {
    const candidates = candidatesIn(t, parent, moment);
    const scale = scaleOf(candidates);
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    for (const item of siblings) {
      const candidate = byId.get(item.id);
      if (candidate) addBar(parts, item, candidate, scale, isMax(t, parent) ? LOW : HIGH);
    }
  }
}

// Returns the ends of the bars of siblings: a little below the least mean, and the greatest appeal.
/** @type {(candidates: Candidate[]) => { low: number, high: number }} */
function scaleOf(candidates) {
  const tried = candidates.filter(({ appeal }) => Number.isFinite(appeal));
  const low = Math.min(...tried.map(({ terms }) => terms[0]));
  const high = Math.max(...tried.map(({ appeal }) => appeal));
  return { low: low - 0.15 * (high - low || 1), high };
}

/** @type {(parts: string[], item: Item, candidate: Candidate, scale: { low: number, high: number }, part: number) => void} */
function addBar(parts, item, { appeal, terms }, { low, high }, part) {
  const { w, h } = WINDOW;
  const [left, y] = [item.x - w / 2, item.y + WINDOW.y];
  parts[TRACK] += box(left, y, w, h);
  if (appeal === -Infinity) return;
  /** @type {(value: number) => number} */
  const x = (value) => left + (w * (value - low)) / (high - low || 1);
  const mean = appeal === Infinity ? left : x(terms[0]);
  const end = appeal === Infinity ? left + w : x(appeal);
  parts[DOUBT] += box(mean, y, end - mean, h);
  for (let line = mean + 3; line < end; line += 4)
    parts[HATCH] += `M${line.toFixed(1)} ${y}l-3 ${h}`;
  if (appeal === Infinity) return;
  parts[part] += box(left, y, mean - left, h);
  parts[TICK] += `M${mean.toFixed(1)} ${y - 2}v${h + 4}`;
}

/** @type {(parts: string[], t: Growth, item: Item, moment: Moment) => void} */
function addSquares(parts, t, item, moment) {
  const numbers = knownAt(t, item.id, moment);
  if (item.leafy || !numbers || numbers.pn === 0 || numbers.dn === 0) return;
  const y = item.y + WINDOW.y;
  const { side, step } = SQUARE;
  for (let n = 0; n < Math.min(MOST_SQUARES, numbers.pn); n++)
    parts[LOW] += box(item.x - 3 - side - n * step, y, side, side);
  for (let n = 0; n < Math.min(MOST_SQUARES, numbers.dn); n++)
    parts[HIGH] += box(item.x + 3 + n * step, y, side, side);
  parts[TICK] += `M${item.x} ${y - 2}v${side + 4}`;
}
