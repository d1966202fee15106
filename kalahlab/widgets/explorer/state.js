// The explorer's state and its actions, which are pure functions from a state to the next one. They
// do not know the page.

/** @import { Item, Key, Place, Scene, State, Trace, View } from "./types.js" */

import { below, CLOSED, current, phase } from "./at_step.js";
import { enterOf, hasGhosts, isLeaf, leaveOf, sameIn } from "./trace.js";

const SMALL = 160; // most items of a tree that is shown whole

/** @type {(t: Trace) => boolean} */
export const isSmall = (t) => t.items <= SMALL;

/** @type {(t: Trace, focus?: Key | null) => View} */
export const viewOf = (t, focus = null) => ({
  t,
  focus,
  show: isSmall(t) ? "all" : "path",
  byHand: new Map(),
});

/** @type {State} */
export const EMPTY = {
  views: [],
  active: 0,
  k: 0,
  last: 0,
  whole: false,
  playing: false,
  projecting: false,
  speed: "2",
  quiz: null,
  crossing: null,
};

// A tree whose branches are crossed out is shown at its last step.
/** @type {(state: State, place: Place) => Scene} */
export function sceneOf({ views, k, whole, projecting, quiz, crossing }, place) {
  const view = views[place];
  const { steps } = view.t;
  return {
    view,
    k: crossing ? steps : Math.min(k, steps),
    quizzing: quiz !== null,
    whole: whole && !quiz,
    projecting,
    quizNode: quiz?.t === view.t && quiz.question?.kind === "value" ? quiz.question.node : null,
    crossing,
  };
}

// ---- other searches

// Loads other searches, and keeps the reader's place in them as far as it exists.
/** @type {(state: State, traces: Trace[], step: number) => State} */
export function loadTraces(state, traces, step) {
  const last = Math.max(...traces.map((t) => t.steps));
  const resumed = state.views.length ? findSamePlace(state, traces[0]) : { k: step, focus: null };
  const items = Math.max(...traces.map((t) => t.items));
  for (const t of traces) t.items = items; // so that two trees have the same kind of layout
  const views = traces.map((t, place) => viewOf(t, place ? null : resumed.focus));
  return {
    ...state,
    views,
    active: 0,
    k: Math.min(resumed.k, last),
    last,
    playing: false,
    crossing: null,
  };
}

// Returns the current step and the selected node, in the new search.
/** @type {(state: State, t: Trace) => { k: number, focus: Key | null }} */
function findSamePlace(state, t) {
  const { t: old, focus: key } = state.views[state.active];
  const focus = key === null ? null : sameIn(t, old, parseInt(String(key), 10));
  if (state.k >= state.last) return { k: t.steps, focus };
  if (state.k === 0) return { k: 0, focus };
  const now = current(old, state.k);
  const twin = sameIn(t, old, now);
  const event = phase(old, now, state.k) === CLOSED ? leaveOf(t, twin) : enterOf(t, twin);
  return { k: event + 1, focus };
}

// ---- the clock

/** @type {(state: State, to: number) => State} */
export const at = (state, to) => ({ ...state, k: Math.max(0, Math.min(state.last, to)) });

// When the clock moves, nodes of a large tree that were opened by hand are closed.
/** @type {(state: State, to: number) => State} */
export const goTo = (state, to) => ({
  ...at(state, to),
  views: state.views.map((view) => ({
    ...view,
    focus: null,
    byHand: view.show === "path" ? new Map() : view.byHand,
  })),
});

// A leaf is entered and left in one step. If the active search is over and the other one goes on,
// that becomes active.
/** @type {(state: State, by: number) => State} */
export function stepBy(state, by) {
  const to = state.k + by;
  const [{ t }, other] = state.views;
  const inside = !other && to > 0 && to < state.last && isInLeaf(t, to);
  const now = goTo(state, inside ? to + by : to);
  if (now.k <= state.views[state.active].t.steps) return now;
  return { ...now, active: state.views.findIndex((view) => now.k <= view.t.steps) };
}

/** @type {(t: Trace, k: number) => boolean} */
const isInLeaf = (t, k) => isLeaf(t, current(t, k)) && enterOf(t, current(t, k)) === k - 1;

// Goes to the next or the previous cut of any search, and makes its tree active.
/** @type {(state: State, by: number) => State} */
export function goToCut(state, by) {
  const steps = state.views.map(({ t: { cutSteps } }) => {
    const step =
      by > 0 ? cutSteps[below(cutSteps, state.k)] : cutSteps[below(cutSteps, state.k - 1) - 1];
    return step === undefined ? -1 : step + 1;
  });
  const cuts = steps.filter((step) => step > 0);
  if (!cuts.length) return goTo(state, by > 0 ? state.last : 0);
  const to = by > 0 ? Math.min(...cuts) : Math.max(...cuts);
  const now = goTo(state, to);
  return state.quiz || steps[now.active] === to ? now : { ...now, active: steps.indexOf(to) };
}

/** @type {(state: State) => State} */
export function togglePlaying(state) {
  const playing = !state.playing;
  return { ...(playing && state.k >= state.last ? goTo(state, 0) : state), playing };
}

/** @type {(state: State, projecting: boolean) => State} */
export const project = (state, projecting) => ({ ...state, projecting });

// ---- the trees

/** @type {(state: State, place: Place, change: Partial<View>) => State} */
function withView(state, place, change) {
  const views = state.views.with(place, { ...state.views[place], ...change });
  return { ...state, views };
}

/** @type {(state: State, place: Place, focus: Key | null) => State} */
export const selectNode = (state, place, focus) => ({
  ...withView(state, place, { focus }),
  active: place,
});

/** @type {(state: State, place: Place, show: string) => State} */
export const setShow = (state, place, show) => withView(state, place, { show, byHand: new Map() });

// Opens or closes a node; by default it changes between the two.
/** @type {(state: State, place: Place, item: Item, open?: boolean) => State} */
export function toggleNode(state, place, item, open = !item.kids.length) {
  const { t, byHand } = state.views[place];
  if (item.ghost || (t.size[item.id] < 2 && !hasGhosts(t, item.id))) return state;
  const opened = new Map(byHand).set(item.id, open);
  return withView(state, place, { focus: item.id, byHand: opened });
}

/** @type {(state: State, place: Place, item: Item) => State} */
export function openSiblings(state, place, item) {
  const byHand = new Map(state.views[place].byHand);
  for (const sibling of item.up?.kids ?? []) if (!sibling.ghost) byHand.set(sibling.id, true);
  return withView(state, place, { byHand });
}
