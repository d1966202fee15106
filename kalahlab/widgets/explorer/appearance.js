// The appearance of a node after k events. Equal looks need no repaint.

/** @import { Ghost, Item, Look, Trace } from "./types.js" */

import { LEAF_SIZES, widthOf } from "../shared/metrics.js";
import { barOf, CLOSED, OPEN, phase, WAITING } from "./at_step.js";
import {
  boundKind,
  enterOf,
  isCut,
  isDeepening,
  isFinished,
  isLeaf,
  isMax,
  moverOf,
  takesBest,
} from "./trace.js";

// Nodes that are not visited yet are grey. Those that the search has not generated yet (`ahead`)
// are hidden unless the `whole` tree is shown, as the shape of the tree would reveal what is going
// to be cut. In a quiz, generated nodes are dots. Moves left out without a cut stay grey.
const GREY = { kind: "grey", text: "" },
  LEFT_OUT = { kind: "grey left", text: "" },
  AHEAD = { ...GREY, ahead: true };
// The classes that set the sizes of LEAF_SIZES.
/** @type {[name: string, value: string][]} */
const LEAF_CLASSES = [
  ["", ""],
  ["", " long"],
  [" tight", " longer"],
  [" tight", " tight"],
];
const DOT_ONLY = { kind: "wait", text: "" },
  HIDDEN = { kind: "hidden", text: "" };

/** @type {(t: Trace, item: Item, k: number, quizzing: boolean, whole: boolean) => Look} */
export function lookOf(t, item, k, quizzing, whole) {
  const now = phase(t, item.id, k);
  const generated = quizzing ? DOT_ONLY : GREY;
  const ahead = whole ? AHEAD : HIDDEN;
  if (item.ghost && now === CLOSED) return isCut(t, item.id) ? ghostLook(item.ghost) : LEFT_OUT;
  if (item.ghost) return now === OPEN ? generated : ahead;
  const i = item.id;
  if (now === WAITING) {
    if (i === 0) return { kind: moverOf(t, 0), text: "", bar: t.windows ? barOf(t, 0, 0) : null };
    return k > enterOf(t, t.parent[i]) ? generated : ahead;
  }
  if (isLeaf(t, i))
    return {
      kind: "leaf",
      finished: isFinished(t, i),
      text: now === CLOSED ? t.brief[t.value[i]] : "",
    };
  const closed = now === CLOSED;
  const bar = barOf(t, i, k);
  if (closed) bar[2] = t.value[i];
  return {
    kind: moverOf(t, i),
    open: !closed,
    cut: closed && isCut(t, i),
    text: textOf(t, i, closed, bar[2]),
    bar: t.windows ? bar : null,
  };
}

/** @type {(look: Look) => boolean} */
export const isWaiting = ({ kind }) => kind === "wait" || kind.startsWith("grey");

/** @type {(ghost: Ghost) => Look} */
const ghostLook = ({ cost }) => ({ kind: "ghost", text: cost > 1 ? short(cost) : "" });

// Returns a value with the sign of its bound; the value of an open node is only a bound.
/** @type {(t: Trace, i: number, closed: boolean, value: number) => string} */
function textOf(t, i, closed, value) {
  if (value < 0 || (!closed && !takesBest(t))) return "";
  const sofar = isDeepening(t, i) ? "" : isMax(t, i) ? "≥" : "≤";
  return (closed ? boundKind(t, i) : sofar) + t.brief[value];
}

/** @type {(n: number) => string} */
export const big = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** @type {(n: number) => string} */
export function short(n) {
  if (n < 10_000) return big(n);
  return n < 1e6 ? `${Math.round(n / 1e3)}k` : `${(n / 1e6).toPrecision(3)}M`;
}

// Shortens a name. Of a path of branches, as 1.1.2, the end is kept, of a move of chance, as
// 1.1·1/4, the probability.
/** @type {(name: string, most: number) => string} */
export function clipped(name, most) {
  if (name.length <= most) return name;
  const [, probability] = name.split("·");
  if (probability && probability.length < most) return `·${probability}`;
  if (/^\d[\d.]*$/.test(name) && most > 1) return `…${name.slice(1 - most).replace(/^\./, "")}`;
  return `${name.slice(0, most - 1)}…`;
}

// Returns the name of a move beside its node.
/** @type {(name: string, again: boolean) => string} */
export const labelOf = (name, again) => name && (again ? "↻ " : "") + clipped(name, 8);

// Returns the class of a value in a triangle, which is smaller if it is long.
/** @type {(length: number) => string} */
export function sizeOf(length) {
  if (length > 5) return " tight";
  return length > 4 ? " longer" : length > 3 ? " long" : "";
}

// Returns the name in the box of a leaf, and the sizes of name and value as classes. The name is
// shortened if it does not fit beside the value in the smallest size.
/** @type {(name: string, again: string, value: string) => [name: string, nameSize: string, valueSize: string]} */
export function fitLeaf(name, again, value) {
  /** @type {(text: string, place: number) => boolean} */
  const fits = (text, place) => {
    const [small, large, room] = LEAF_SIZES[place];
    return widthOf(text, small) + widthOf(value, large, true) <= room;
  };
  const last = LEAF_SIZES.length - 1;
  for (let place = 0; place <= last; place++)
    if (fits(name + again, place)) return [name + again, ...LEAF_CLASSES[place]];
  let length = name.length - 1;
  while (length > 1 && !fits(clipped(name, length) + again, last)) length--;
  return [(length > 1 ? clipped(name, length) : "") + again, ...LEAF_CLASSES[last]];
}

/** @type {(look: Look) => string} */
export const signature = (look) =>
  `${look.kind}${look.ahead ? "a" : ""}${look.open ? "o" : ""}${look.cut ? "c" : ""}${look.mark ?? ""}${look.text}|${look.bar ?? ""}`;

// Returns the position of a number on a bar of this width, whose middle is 0.
/** @type {(t: Trace, place: number, width: number) => number} */
export function barX(t, place, width) {
  if (place <= 0) return -width / 2;
  if (place >= t.high) return width / 2;
  return (Number(t.numbers[place]) / t.span) * (width / 2 - 4);
}
