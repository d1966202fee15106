// The state of the view and its actions, which are pure functions from a state to the next one.

/** @import { Growth, Marks, State } from "./types.js" */
/** @import { Item } from "../explorer/types.js" */

import { pathTo } from "../explorer/trace.js";
import {
  BACK_UP,
  childrenMade,
  EXPAND,
  isMade,
  mainField,
  momentOf,
  pathAt,
  pathMade,
  settle,
  stateOf,
} from "./trace.js";

const SMALL = 64; // most nodes of a tree that is shown whole
const MOST = 3000; // most nodes that are laid out at once

/** @type {(t: Growth) => boolean} */
export const isSmall = (t) => t.n <= SMALL;

/** @type {(t: Growth, k: number) => State} */
export const stateFor = (t, k) => ({
  t,
  k: settle(t, k),
  last: t.last,
  focus: null,
  show: isSmall(t) ? "all" : "path",
  byHand: new Map(),
  playing: false,
  speed: "2",
  series: seriesOf(t)[0],
  quiz: null,
  projecting: false,
});

// Returns the fields that the timeline can show.
/** @type {(t: Growth) => string[]} */
export const seriesOf = (t) => (t.kind === "mean" ? ["n", "mean"] : [mainField(t)]);

// ---- the clock

/** @type {(state: State, k: number) => State} */
export const at = (state, k) => ({ ...state, k: settle(state.t, k) });

/** @type {(state: State, k: number) => State} */
export const goTo = (state, k) => ({
  ...at(state, k),
  focus: null,
  byHand: state.show === "path" ? new Map() : state.byHand,
});

/** @type {(state: State, by: number) => State} */
export function stepBy(state, by) {
  const to = state.k + by;
  if (to < 0 || to > state.last) return state;
  return goTo(state, settle(state.t, to, by));
}

// Goes to the end of the next iteration, or of the one before.
/** @type {(state: State, by: number) => State} */
export function goByIteration(state, by) {
  const { step, part } = momentOf(state.k);
  const inside = part !== BACK_UP;
  return goTo(state, stateOf(Math.max(0, by > 0 && inside ? step : step + by)));
}

/** @type {(state: State, step: number) => State} */
export const goToStep = (state, step) => goTo(state, stateOf(step));

/** @type {(state: State) => State} */
export function togglePlaying(state) {
  const playing = !state.playing;
  return { ...(playing && state.k >= state.last ? goTo(state, 0) : state), playing };
}

/** @type {(state: State, projecting: boolean) => State} */
export const project = (state, projecting) => ({ ...state, projecting });

// ---- the tree

/** @type {(state: State, focus: number | null) => State} */
export const selectNode = (state, focus) => ({ ...state, focus });

/** @type {(state: State, show: string) => State} */
export const setShow = (state, show) => ({ ...state, show, byHand: new Map() });

/** @type {(state: State, series: string) => State} */
export const setSeries = (state, series) => ({ ...state, series });

// Opens or closes a node; by default it changes between the two.
/** @type {(state: State, item: Item, open?: boolean) => State} */
export function toggleNode(state, item, open = !item.kids.length) {
  if (!state.t.kids[item.id]) return state;
  return { ...state, focus: item.id, byHand: new Map(state.byHand).set(item.id, open) };
}

// Returns the options of the list "Show".
/** @type {(t: Growth) => string[][]} */
export function showOptions(t) {
  const options = isSmall(t) ? [["all", "everything"]] : [["path", "the current path"]];
  for (let depth = 1, items = 1; depth <= t.plies; depth++) {
    items += t.width[depth];
    if (items > MOST) break;
    options.push([String(depth), `${depth} ${depth === 1 ? "ply" : "plies"}`]);
  }
  return options;
}

// Returns which nodes are open. Equal keys mean equal trees.
/** @type {(state: State) => { key: string, isOpen: (i: number) => boolean }} */
export function openingOf({ t, k, focus, show, byHand }) {
  const moment = momentOf(k);
  const depth = show === "all" ? Infinity : Number(show) || 1;
  const keep = new Set(depth === Infinity ? [] : pathMade(t, moment));
  if (focus !== null) for (const i of pathTo(t, t.parent[focus])) keep.add(i);
  const open = [...keep].filter((i) => childrenMade(t, i, moment).length);
  /** @type {(i: number) => boolean} */
  const isOpen = (i) => byHand.get(i) ?? (t.level[i] < depth || keep.has(i));
  return { key: `${show} ${open.join()} ${[...byHand].join(";")}`, isOpen };
}

// Returns the node where something happens.
/** @type {(t: Growth, k: number) => number} */
function currentOf(t, k) {
  const { step, part } = momentOf(k);
  if (!step || part === BACK_UP) return 0;
  if (part === EXPAND) return t.expanded[step - 1] - 1;
  return pathMade(t, { step, part }).at(-1) ?? 0;
}

/** @type {(state: State) => Marks} */
export function marksOf({ t, k, focus, quiz }) {
  const moment = momentOf(k);
  const current = currentOf(t, k);
  const over = !moment.step || (quiz?.kind === "move" && !quiz.reply); // the next path is asked for
  const path = over ? [] : pathAt(t, moment.step).filter((i) => isMade(t, i, moment));
  return {
    focus: focus ?? current,
    current,
    path: new Set(path),
    backedUp: moment.part === BACK_UP && !over,
  };
}
