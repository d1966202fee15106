// The scene of a tree: which nodes are open, and which are marked.

/** @import { Marks, Scene, State, Trace } from "./types.js" */

import {
  best,
  bestLine,
  CLOSED,
  current as currentOf,
  opposing,
  phase,
  WAITING,
} from "./at_step.js";
import { isSmall } from "./state.js";
import { hasGhosts, isCut, isHeld, isMax, ownerOf, pathTo, shortQuestion } from "./trace.js";

const OVERVIEW = 14; // most items of a large tree that are shown before the first step
const MAP = 9000; // most items that are drawn at once

// Returns the selected or current node; for a move never tried, its parent.
/** @type {(scene: Scene) => number} */
const focusNode = ({ view: { t, focus }, k }) => parseInt(String(focus ?? currentOf(t, k)), 10);

// Returns which nodes are open. Equal keys mean equal trees.
/** @type {(scene: Scene) => { key: string, isOpen: (i: number) => boolean }} */
export function openingOf(scene) {
  const { view, k, quizzing } = scene;
  const { t, byHand, show } = view;
  const first = show === "path" && !k ? overviewOf(t) : 0;
  const depth = show === "all" ? Infinity : Number(show) || first;
  const keep = nodesKeptOpen(scene);
  const key = `${show} ${depth} ${depth === Infinity ? "" : [...keep].join()} ${[...byHand].join(";")}`;
  /** @type {(i: number) => boolean} */
  const isOpen = (i) => byHand.get(i) ?? (t.ply[i] < depth || keep.has(i));
  if (!quizzing) return { key, isOpen };
  // In a quiz, room for the children of a node would reveal that it is going to be visited.
  return { key: `${key} ${k}`, isOpen: (i) => phase(t, i, k) !== WAITING && isOpen(i) };
}

/** @type {(scene: Scene) => Set<number>} */
function nodesKeptOpen(scene) {
  const { view, k } = scene;
  const { t, focus, show } = view;
  const now = currentOf(t, k);
  const node = focusNode(scene);
  const keep = new Set([...pathTo(t, t.parent[node]), ...pathTo(t, t.parent[now])]);
  if (typeof focus === "string" || hasGhosts(t, node)) keep.add(node);
  if (show === "path") {
    keep.add(now);
    if (k === t.steps || focus !== null)
      for (let i = node; i >= 0; i = best(t, i, k).by) keep.add(i);
  }
  if (show === "line") for (const i of bestLine(t, k)) keep.add(i);
  return keep;
}

/** @type {Marks} */
export const UNMARKED = {
  current: -1,
  focus: 0,
  cutter: -1,
  owner: -1,
  quizNode: null,
  bound: "",
  path: new Set(),
  blame: new Set(),
  best: new Set(),
};

/** @type {(scene: Scene) => Marks} */
export function marksOf(scene) {
  const { view, k, quizNode } = scene;
  const { t } = view;
  const current = currentOf(t, k);
  const node = focusNode(scene);
  const best = new Set(bestLine(t, k));
  const marks = { ...UNMARKED, current, focus: view.focus ?? current, quizNode, best };
  if (!isCut(t, node) || phase(t, node, k) !== CLOSED)
    return k === t.steps ? marks : { ...marks, path: new Set(pathTo(t, current)) };
  const owner = ownerOf(t, node);
  const path = pathTo(t, node);
  const blame = new Set(path.filter((i) => t.ply[i] > t.ply[owner]));
  const bound = boundText(t, node, owner, k);
  return { ...marks, cutter: node, owner, path: new Set(path), blame, bound };
}

/** @type {(t: Trace, cutter: number, owner: number, k: number) => string} */
function boundText(t, cutter, owner, k) {
  const bound = opposing(t, cutter);
  const held = isHeld(t, cutter);
  if (!held && shortQuestion(t, owner)) return `${shortQuestion(t, owner)}?`;
  const still = !held || best(t, owner, k).value === bound;
  return `${isMax(t, cutter) ? "β" : "α"} = ${t.texts[bound]}${still ? "" : " then"}`;
}

// Returns the options of the list "Show": the current path, the best line, or a depth that can be
// drawn.
/** @type {(t: Trace) => string[][]} */
export function openings(t) {
  const options = isSmall(t) ? [["all", "everything"]] : [["path", "the current path"]];
  options.push(["line", "the best line"]);
  const plies = pliesOf(t, MAP).map((depth) => [
    String(depth),
    `${depth} ${depth === 1 ? "ply" : "plies"}`,
  ]);
  return [...options, ...plies];
}

// Shows nodes that the search has not reached, or hides them. A large tree is opened as deep as it
// can be drawn, and closed again.
/** @type {(state: State, on: boolean) => State} */
export const showWhole = (state, on) => ({
  ...state,
  whole: on,
  views: state.views.map((view) => {
    const deepest = String(pliesOf(view.t, MAP).at(-1) ?? "path");
    if (isSmall(view.t) || view.show !== (on ? "path" : deepest)) return view;
    return { ...view, show: on ? deepest : "path" };
  }),
});

/** @type {(t: Trace) => number} */
const overviewOf = (t) => pliesOf(t, OVERVIEW).length;

// Returns the depths, from 1, to which the tree has at most `most` items.
/** @type {(t: Trace, most: number) => number[]} */
function pliesOf(t, most) {
  const depths = [];
  for (let depth = 1, items = 1; depth <= t.plies; depth++) {
    items += t.width[depth];
    if (items > most) break;
    depths.push(depth);
  }
  return depths;
}
