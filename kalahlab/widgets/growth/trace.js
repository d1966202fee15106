// A recorded search that grew a tree (see growth_packing.py) as columns, and what is known at a
// state of it. There are four states an iteration; everything is looked up, so that a jump costs no
// more than a step.

/** @import { Column } from "../explorer/types.js" */
/** @import { Candidate, Growth, Moment, Numbers, PackedGrowth } from "./types.js" */

import { below } from "../explorer/at_step.js";
import { columnsOf, gunzip, pathTo } from "../explorer/trace.js";

export const PARTS = ["select", "expand", "evaluate", "back up"];
export const SELECT = 0,
  EXPAND = 1,
  EVALUATE = 2,
  BACK_UP = 3;

/** @type {(packed: PackedGrowth) => Promise<Growth>} */
export async function unpackGrowth(packed) {
  const columns = columnsOf(packed.columns, await gunzip(packed.data));
  const t = /** @type {Growth} */ (
    /** @type {unknown} */ ({ ...packed, ...columns, data: null, reasons: new Map() })
  );
  t.n = packed.nodes;
  t.last = 4 * t.steps;
  t.parent = Int32Array.from(columns.parent);
  t.parent[0] = -1;
  t.numbers = t.fields.map((_, index) => columns[`number_${index}`]);
  t.terms = Array.from({ length: packed.terms }, (_, index) => columns[`term_${index}`]);
  t.kind = kindOf(t.fields);
  t.historyStart = startsOf(columns.changes);
  t.valueStart = startsOf(t.valued);
  shape(t);
  listVisits(t);
  return t;
}

// Returns what stands in a node: proof numbers, a mean, or else the first number.
/** @type {(fields: string[]) => Growth["kind"]} */
function kindOf(fields) {
  if (fields.includes("pn") && fields.includes("dn")) return "proof";
  const hasMean = fields.includes("mean") || fields.includes("total");
  return fields.includes("n") && hasMean ? "mean" : "value";
}

// Returns where each part begins in a column of parts of these lengths, and where the last one ends.
/** @type {(lengths: Column) => Int32Array} */
function startsOf(lengths) {
  const starts = new Int32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = starts[i] + lengths[i];
  return starts;
}

// Computes the children and the level of each node. All children of a node are made at once, so
// their numbers follow each other.
/** @type {(t: Growth) => void} */
function shape(t) {
  const { n, parent } = t;
  const [level, firstChild, kids] = [0, 0, 0].map(() => new Int32Array(n));
  /** @type {number[]} */
  const width = [1];
  for (let i = 1; i < n; i++) {
    const up = parent[i];
    if (up >= i) throw new Error("the trace is damaged");
    level[i] = level[up] + 1;
    width[level[i]] = (width[level[i]] ?? 0) + 1;
    if (!kids[up]++) firstChild[up] = i;
  }
  const widest = kids.reduce((most, count) => Math.max(most, count), 0);
  Object.assign(t, { level, firstChild, kids, width, widest, plies: width.length - 1 });
}

// Computes the steps at which each node is on the path, and where its terms are.
/** @type {(t: Growth) => void} */
function listVisits(t) {
  const { kids, leaf, n, parent, steps } = t;
  const counts = new Int32Array(n);
  for (let s = 0; s < steps; s++) for (let i = leaf[s]; i >= 0; i = parent[i]) counts[i]++;
  t.visitStart = startsOf(counts);
  t.visits = new Int32Array(t.visitStart[n]);
  const next = t.visitStart.slice(0, n);
  for (let s = 0; s < steps; s++)
    for (let i = leaf[s]; i >= 0; i = parent[i]) t.visits[next[i]++] = s + 1;
  t.termStart = new Int32Array(n);
  t.termFrom = new Int32Array(n);
  let place = 0;
  for (let i = 0; i < n; i++) {
    if (!kids[i]) continue;
    t.termStart[i] = place;
    t.termFrom[i] = countVisits(t, i, t.born[t.firstChild[i]] - 1);
    place += kids[i] * (counts[i] - t.termFrom[i]);
  }
}

// Returns how many of the steps up to this one have a node on their path.
/** @type {(t: Growth, i: number, step: number) => number} */
export const countVisits = (t, i, step) =>
  below(t.visits.subarray(t.visitStart[i], t.visitStart[i + 1]), step + 1);

// ---- states

// Returns the step and the part of a state. State 0 is the root alone, at the end of step 0.
/** @type {(k: number) => Moment} */
export const momentOf = (k) => ({ step: Math.ceil(k / 4), part: k ? (k - 1) % 4 : BACK_UP });

/** @type {(step: number, part?: number) => number} */
export const stateOf = (step, part = BACK_UP) => (step ? 4 * (step - 1) + part + 1 : 0);

// Returns whether something happens in a part of an iteration.
/** @type {(t: Growth, moment: Moment) => boolean} */
export function happens(t, { step, part }) {
  if (!step || part === SELECT || part === BACK_UP) return true;
  if (part === EXPAND) return t.expanded[step - 1] > 0;
  return valuesAt(t, step).some(({ how }) => how !== "unknown");
}

// Returns the state, or else the next one in this direction, in which something happens.
/** @type {(t: Growth, k: number, by?: number) => number} */
export function settle(t, k, by = 1) {
  let to = Math.max(0, Math.min(t.last, Math.round(k)));
  while (!happens(t, momentOf(to))) to += by;
  return to;
}

/** @type {(t: Growth, i: number, moment: Moment) => boolean} */
export const isMade = (t, i, { step, part }) =>
  t.born[i] < step || (t.born[i] === step && part >= EXPAND);

/** @type {(t: Growth, step: number) => number[]} */
export const pathAt = (t, step) => (step ? pathTo(t, t.leaf[step - 1]) : [0]);

// Returns the path of an iteration as far as it is made.
/** @type {(t: Growth, moment: Moment) => number[]} */
export const pathMade = (t, moment) => pathAt(t, moment.step).filter((i) => isMade(t, i, moment));

// Returns the children of a node as far as they are made.
/** @type {(t: Growth, i: number, moment: Moment) => number[]} */
export function childrenMade(t, i, moment) {
  const first = t.firstChild[i];
  if (!t.kids[i] || !isMade(t, first, moment)) return [];
  return Array.from({ length: t.kids[i] }, (_, place) => first + place);
}

/** @type {(t: Growth, step: number) => { id: number, how: string, value: number }[]} */
export function valuesAt(t, step) {
  const values = [];
  for (let v = t.valueStart[step - 1]; v < t.valueStart[step]; v++)
    values.push({ id: t.value_id[v], how: t.hows[t.value_how[v]], value: t.value[v] });
  return values;
}

// ---- numbers

// Returns what the search knew of a node at the end of a step; null if the node was not made yet.
/** @type {(t: Growth, i: number, step: number) => Numbers | null} */
export function numbersAt(t, i, step) {
  const [start, end] = [t.historyStart[i], t.historyStart[i + 1]];
  const entry = start + below(t.step.subarray(start, end), step + 1) - 1;
  if (entry < start) return null;
  /** @type {Numbers} */
  const numbers = {};
  t.fields.forEach((field, index) => {
    numbers[field] = t.numbers[index][entry];
  });
  if ("total" in numbers && numbers.n > 0) numbers.mean ??= numbers.total / numbers.n;
  return numbers;
}

// Returns what is known of a node in a state: the numbers of the path change when they are backed
// up, and the first numbers of a new node are known when values are, or at once if there are none.
/** @type {(t: Growth, i: number, moment: Moment) => Numbers | null} */
export function knownAt(t, i, { step, part }) {
  if (part === BACK_UP) return numbersAt(t, i, step);
  const before = numbersAt(t, i, step - 1);
  if (before || part === SELECT || t.parent[i] < 0) return before;
  if (part === EXPAND && happens(t, { step, part: EVALUATE })) return null;
  return pathAt(t, step).includes(i) ? null : numbersAt(t, i, step);
}

// Returns the children of a node with their terms at the end of a step.
/** @type {(t: Growth, i: number, step: number) => Candidate[]} */
export function candidatesAt(t, i, step) {
  const count = t.kids[i];
  if (!count || t.born[t.firstChild[i]] > step) return [];
  const visit = countVisits(t, i, step) - t.termFrom[i] - 1;
  const start = t.termStart[i] + visit * count;
  return Array.from({ length: count }, (_, place) => {
    const id = t.firstChild[i] + place;
    const terms = t.terms.map((column) => column[start + place]);
    const appeal = terms.reduce((sum, term) => sum + term, 0);
    return { id, numbers: numbersAt(t, id, step) ?? {}, terms, appeal };
  });
}

// Returns the candidates as they were when the path of a state was selected.
/** @type {(t: Growth, i: number, moment: Moment) => Candidate[]} */
export const candidatesIn = (t, i, { step, part }) =>
  candidatesAt(t, i, part === BACK_UP ? step : step - 1);

// Returns whether a node is proved (1) or disproved (-1), or neither. With bounds of the value, a
// node is proved when they meet.
/** @type {(t: Growth, numbers: Numbers | null) => number} */
export function proofOf(t, numbers) {
  if (!numbers) return 0;
  if (t.kind === "proof") return numbers.pn === 0 ? 1 : numbers.dn === 0 ? -1 : 0;
  return "low" in numbers && numbers.low === numbers.high ? 1 : 0;
}

// Returns how a field is called: a sum of values is shown as their mean.
/** @type {(t: Growth) => string[]} */
export const shownFields = (t) => {
  const fields = t.fields.map((field) => (t.kind === "mean" && field === "total" ? "mean" : field));
  return [...new Set(fields)];
};

// Returns the number that stands in a node.
/** @type {(t: Growth) => string} */
export const mainField = (t) => ({ mean: "mean", proof: "pn", value: t.fields[0] })[t.kind];
