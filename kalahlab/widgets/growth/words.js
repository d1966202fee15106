// Names, numbers and labels as text.

/** @import { Growth, Moment, Numbers } from "./types.js" */

import { big } from "../explorer/appearance.js";
import { isExtra, isFinished, moveName, pathTo, side } from "../explorer/trace.js";
import { knownAt, proofOf, shownFields } from "./trace.js";

// Returns a number with at most two decimals.
/** @type {(x: number | undefined) => string} */
export function format(x) {
  if (x === undefined || Number.isNaN(x)) return "–";
  const size = Math.abs(x);
  const text = Number.isFinite(x) ? (Number.isInteger(x) ? big(size) : size.toFixed(2)) : "∞";
  return x < 0 && !/^[0.]+$/.test(text) ? `−${text}` : text;
}

// The same with fewer digits, for the inside of a node.
/** @type {(x: number | undefined) => string} */
export function brief(x) {
  if (x === undefined || !Number.isFinite(x) || Number.isInteger(x)) return format(x);
  const size = Math.abs(x);
  const text = size.toFixed(size < 1 ? 2 : size < 100 ? 1 : 0);
  return x < 0 && !/^[0.]+$/.test(text) ? `−${text}` : text;
}

/** @type {(t: Growth, i: number) => string} */
export const pathName = (t, i) =>
  pathTo(t, i)
    .slice(1)
    .map((node) => moveName(t, node))
    .join(", ");

/** @type {(t: Growth, i: number) => string} */
export const placeName = (t, i) => (i ? `after ${pathName(t, i)}` : "at the root");

/** @type {(t: Growth, i: number) => string} */
export function roleOf(t, i) {
  if (isFinished(t, i)) return t.byHand ? "leaf" : "finished";
  return `${side(t, i)} to move${isExtra(t, i) ? " again ↻" : ""}`;
}

// Returns the numbers of a node in words, such as `n 12, mean 0.50`.
/** @type {(t: Growth, numbers: Numbers | null) => string} */
export function describeNumbers(t, numbers) {
  if (!numbers) return "no numbers yet";
  if (numbers.n === 0) return "n 0";
  return shownFields(t)
    .map((field) => `${field} ${format(numbers[field])}`)
    .join(", ");
}

/** @type {(t: Growth, i: number, moment: Moment) => string} */
export function describeNode(t, i, moment) {
  const numbers = knownAt(t, i, moment);
  const proof = proofOf(t, numbers);
  const end = proof > 0 ? ", proved" : proof < 0 ? ", disproved" : "";
  return `${roleOf(t, i)}, ${describeNumbers(t, numbers)}${end}`;
}
