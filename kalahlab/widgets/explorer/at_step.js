// The state of the search after k events, computed from the steps at which nodes are entered and
// left. So a jump costs no more than a step, and a step back no more than a step forward. Python
// does not send this, as it would be a row per node and step; the tests in `tests/widgets/js`
// compare it with Python's events.

/** @import { AtStep, Bar, Column, OfNode, Trace } from "./types.js" */

import {
  boundKind,
  enterOf,
  isChance,
  isDeepening,
  isDriver,
  isMax,
  isPass,
  isProbe,
  leaveOf,
  nodeAt,
  ownName,
  pathTo,
  takesBest,
} from "./trace.js";

export const WAITING = 0,
  OPEN = 1,
  CLOSED = 2;

/** @type {AtStep<number>} */
export const phase = (t, i, k) =>
  k <= enterOf(t, i) ? WAITING : k <= leaveOf(t, i) ? OPEN : CLOSED;

/** @type {OfNode<number>} */
export const current = (t, k) => (k ? nodeAt(t, k - 1) : 0);

// Returns how many of the sorted numbers are smaller than x.
/** @type {(sorted: Column, x: number) => number} */
export function below(sorted, x) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @type {OfNode<number>} */
export const countCuts = (t, k) => below(t.cutSteps, k);
/** @type {OfNode<number>} */
export const countSkipped = (t, k) => t.sparedAfter[countCuts(t, k)];

// Counts the nodes entered so far: each event enters or leaves one, and those not left are the
// path.
/** @type {OfNode<number>} */
export function countVisited(t, k) {
  if (!k) return 0;
  const i = current(t, k);
  return (k + t.ply[i] + (phase(t, i, k) === OPEN ? 1 : 0)) / 2;
}

// The same as the search counts: the driver, which makes passes over the root, is no node.
/** @type {OfNode<number>} */
export const countSearched = (t, k) => countVisited(t, k) - Number(k > 0 && isDriver(t, 0));

/** @type {AtStep<number>} */
export function countVisitedBelow(t, i, k) {
  return leaveOf(t, i) < k ? t.size[i] - 1 : Math.max(0, countVisited(t, k) - i - 1);
}

// Returns whether the value of c can be achieved; a pass that fails low finds only a limit.
/** @type {OfNode<boolean>} */
export const isSure = (t, c) => !isPass(t, c) || boundKind(t, c) !== "≤";

// Returns whether c is the search that follows a probe of the same move.
/** @type {(t: Trace, c: number, probe: number) => boolean} */
const settles = (t, c, probe) =>
  probe >= 0 && isProbe(t, probe) && ownName(t, c) === ownName(t, probe);

// Returns the best child of i so far: the first one on a tie, but the search after a probe rather
// than the probe. If there is none, `by` is -1 and `value` is outside the table.
/** @type {AtStep<{ value: number, by: number }>} */
export function best(t, i, k) {
  const max = isMax(t, i);
  let value = max ? -1 : t.numbers.length;
  let by = -1;
  if (isDeepening(t, i)) {
    for (let c = i + 1, end = i + t.size[i]; c < end && leaveOf(t, c) < k; c += t.size[c]) by = c;
    return { value: by < 0 ? value : t.value[by], by };
  }
  for (let c = i + 1, end = i + t.size[i]; c < end && leaveOf(t, c) < k; c += t.size[c])
    if (((max ? t.value[c] > value : t.value[c] < value) || settles(t, c, by)) && isSure(t, c)) {
      value = t.value[c];
      by = c;
    }
  return { value, by };
}

// Returns the window of i, narrowed by i's own values, and the best value so far (-1 for none).
/** @type {AtStep<Bar>} */
export function barOf(t, i, k) {
  const [alpha, beta] = [t.alpha[i], isDriver(t, i) ? limit(t, i, k) : t.beta[i]];
  const { value, by } = best(t, i, k);
  if (by < 0 || isChance(t, i)) return [alpha, beta, -1];
  if (!t.windows || isDeepening(t, i)) return [alpha, beta, value];
  return isMax(t, i)
    ? [Math.max(alpha, value), beta, value]
    : [alpha, Math.min(beta, value), value];
}

// Returns the nodes from the root to i, each with its bar when the next one was entered, and i with
// its current bar.
/** @type {AtStep<{ node: number, bar: Bar }[]>} */
export function wayTo(t, i, k) {
  const path = pathTo(t, i);
  return path.map((node, level) => {
    const step = node === i ? k : Math.min(k, enterOf(t, path[level + 1]) + 1);
    return { node, bar: barOf(t, node, step) };
  });
}

// Returns the lowest upper bound that a pass has found.
/** @type {AtStep<number>} */
function limit(t, i, k) {
  let least = t.beta[i];
  for (let c = i + 1, end = i + t.size[i]; c < end && leaveOf(t, c) < k; c += t.size[c])
    if (!isSure(t, c)) least = Math.min(least, t.value[c]);
  return least;
}

// Returns the text of a node's value so far, without the sign of a bound; "" if it has none.
/** @type {AtStep<string>} */
export function valueText(t, i, k) {
  const now = phase(t, i, k);
  if (now === OPEN && !takesBest(t)) return "";
  const value = now === CLOSED ? t.value[i] : now === OPEN ? barOf(t, i, k)[2] : -1;
  return value < 0 ? "" : t.texts[value];
}

// Returns the bound that cuts i: beta at a MAX node, alpha at a MIN node.
/** @type {OfNode<number>} */
export const opposing = (t, i) => (isMax(t, i) ? t.beta[i] : t.alpha[i]);
/** @type {OfNode<boolean>} */
export const finite = (t, place) => place > 0 && place < t.high;

/** @type {OfNode<number[]>} */
export function bestLine(t, k) {
  if (t.line) return k === t.steps ? t.line : [0];
  const line = [];
  // The value of a chance node is that of no single move.
  for (let i = 0; i >= 0; i = isChance(t, i) ? -1 : best(t, i, k).by) line.push(i);
  return line;
}
