// What is true after the first k events, answered from when nodes are entered and left alone: so a jump to
// any step costs what a step costs, and stepping back what stepping forward does.
// Python does not send this: it would be a row for each node and step. The tests in `tests/widgets/js`
// hold it equal to what Python's events say.

/** @import { AtStep, Bar, Column, OfNode, Trace } from "./types.js" */

import {
  boundKind,
  enterOf,
  isDriver,
  isMax,
  isPass,
  isProbe,
  isSelective,
  leaveOf,
  nodeAt,
  ownName,
  pathTo,
} from "./trace.js";

export const WAITING = 0,
  OPEN = 1,
  CLOSED = 2;

/** @type {AtStep<number>} */
export const phase = (t, i, k) =>
  k <= enterOf(t, i) ? WAITING : k <= leaveOf(t, i) ? OPEN : CLOSED;

/** @type {OfNode<number>} */
export const current = (t, k) => (k ? nodeAt(t, k - 1) : 0);

// How many of the sorted numbers are smaller than x.
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

// Nodes entered so far: each event entered or left one, and those not yet left are the path.
/** @type {OfNode<number>} */
export function countVisited(t, k) {
  if (!k) return 0;
  const i = current(t, k);
  return (k + t.ply[i] + (phase(t, i, k) === OPEN ? 1 : 0)) / 2;
}

// As the search counts them: what makes passes over the root is no node of its own.
/** @type {OfNode<number>} */
export const countSearched = (t, k) => countVisited(t, k) - Number(k > 0 && isDriver(t, 0));

/** @type {AtStep<number>} */
export function countVisitedBelow(t, i, k) {
  return leaveOf(t, i) < k ? t.size[i] - 1 : Math.max(0, countVisited(t, k) - i - 1);
}

// Whether the value of c is something that is sure: a pass that was answered with no found a limit.
/** @type {OfNode<boolean>} */
export const isSure = (t, c) => !isPass(t, c) || boundKind(t, c) !== "≤";

// Whether c is the search of the move that was asked about at the probe before it.
/** @type {(t: Trace, c: number, probe: number) => boolean} */
const settles = (t, c, probe) =>
  probe >= 0 && isProbe(t, probe) && ownName(t, c) === ownName(t, probe);

// The best child of i so far, the first one on a tie, and rather the search after a probe than the
// probe; `by` is -1 and `value` out of the table while there is none.
/** @type {AtStep<{ value: number, by: number }>} */
export function best(t, i, k) {
  const max = isMax(t, i);
  let value = max ? -1 : t.numbers.length;
  let by = -1;
  for (let c = i + 1, end = i + t.size[i]; c < end && leaveOf(t, c) < k; c += t.size[c])
    if (((max ? t.value[c] > value : t.value[c] < value) || settles(t, c, by)) && isSure(t, c)) {
      value = t.value[c];
      by = c;
    }
  return { value, by };
}

// The window of i, narrowed by what i found itself, and the best value so far, -1 if there is none.
/** @type {AtStep<Bar>} */
export function barOf(t, i, k) {
  const [alpha, beta] = [t.alpha[i], isDriver(t, i) ? limit(t, i, k) : t.beta[i]];
  const { value, by } = best(t, i, k);
  if (by < 0) return [alpha, beta, -1];
  if (!t.windows) return [alpha, beta, value];
  return isMax(t, i)
    ? [Math.max(alpha, value), beta, value]
    : [alpha, Math.min(beta, value), value];
}

// The nodes from the root to i, with the bar that each had when the next one was entered, and i has by
// now.
/** @type {AtStep<{ node: number, bar: Bar }[]>} */
export function wayTo(t, i, k) {
  const path = pathTo(t, i);
  return path.map((node, level) => {
    const at = node === i ? k : Math.min(k, enterOf(t, path[level + 1]) + 1);
    return { node, bar: barOf(t, node, at) };
  });
}

// The least that a pass found the value to be at most.
/** @type {AtStep<number>} */
function limit(t, i, k) {
  let least = t.beta[i];
  for (let c = i + 1, end = i + t.size[i]; c < end && leaveOf(t, c) < k; c += t.size[c])
    if (!isSure(t, c)) least = Math.min(least, t.value[c]);
  return least;
}

// What is known of a node's value: its text without a sign of a bound, "" if nothing is.
/** @type {AtStep<string>} */
export function valueText(t, i, k) {
  const now = phase(t, i, k);
  if (now === OPEN && isSelective(t)) return "";
  const value = now === CLOSED ? t.value[i] : now === OPEN ? barOf(t, i, k)[2] : -1;
  return value < 0 ? "" : t.texts[value];
}

// The bound that the player at i is cut against: MIN's at a MAX node, MAX's at a MIN node.
/** @type {OfNode<number>} */
export const opposing = (t, i) => (isMax(t, i) ? t.beta[i] : t.alpha[i]);
/** @type {OfNode<boolean>} */
export const finite = (t, place) => place > 0 && place < t.high;

/** @type {OfNode<number[]>} */
export function bestLine(t, k) {
  if (t.line) return k === t.steps ? t.line : [0];
  const line = [];
  for (let i = 0; i >= 0; i = best(t, i, k).by) line.push(i);
  return line;
}
