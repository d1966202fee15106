// The board's state and its actions, which are pure functions from a state to the next one. They
// know neither the page nor the rules: legal moves, the paths of stones and the end of the game are
// in the record.

/** @import { Editing, Game, Hand, Move, Seen, State, Step, Turn } from "./types.js" */

import { isReviewed } from "./value_graph.js";

const HOP = 150; // milliseconds from pit to pit
const SOWING = 1800; // most milliseconds of a whole sowing
export const NAMES = ["South", "North"];
export const SIDES = NAMES.map((name, side) => [String(side), name]);

/** @type {(record: Game, at: number, live: boolean, animate: boolean, turn?: Turn) => State} */
export const initialState = (record, at, live, animate, turn = {}) => ({
  turn: live ? {} : turn,
  played: [],
  record,
  shown: at,
  target: at,
  moving: false,
  live,
  thinking: "",
  waited: 0,
  progress: 0,
  animate,
  hints: [],
  fault: "",
  editing: null,
  here: null,
});

/** @type {(state: State) => Step} */
export const stepOf = ({ record, shown }) => record.steps[shown];
/** @type {(state: State) => Move} */
export const nextMove = ({ record, shown }) => /** @type {Move} */ (record.steps[shown + 1].move);

// Returns the places of the pits that can be played.
/** @type {(state: State) => number[]} */
export function playableOf({ live, record, shown, turn }) {
  if (live) return record.steps[shown].legal;
  return shown === record.steps.length - 1 ? Object.keys(turn).map(Number) : [];
}

// ---- the game

// Makes a move that the page knows, before Python runs.
/** @type {(state: State, place: number, moving: boolean) => State} */
export function playKnown(state, place, moving) {
  const { step, moves } = state.turn[place];
  const steps = [...state.record.steps, { ...step, back: state.shown, on: state.shown + 1 }];
  const now = { ...state, turn: moves, played: [...state.played, place] };
  return walkTo(now, { ...state.record, steps }, steps.length - 1, moving);
}

/** @type {(state: State, at: number) => State} */
export const showStep = (state, at) => ({
  ...state,
  shown: at,
  target: at,
  moving: false,
  hints: [],
  editing: null,
});

// Shows step `to` of a record: move by move if it lies ahead and stones are animated, else at once.
/** @type {(state: State, record: Game, to: number, moving: boolean) => State} */
export function walkTo(state, record, to, moving) {
  const anew = record.game !== state.record.game;
  const now = { ...state, record, here: anew ? null : state.here };
  const from = anew ? 0 : state.shown;
  const target = Math.min(to, record.steps.length - 1);
  if (!moving || target <= from) return showStep(now, target);
  return { ...(anew ? showStep(now, 0) : now), editing: null, target, moving: true };
}

// Ends the animation of a move; the next one may follow.
/** @type {(state: State) => State} */
export const finishMove = (state) => ({
  ...showStep(state, state.shown + 1),
  target: state.target,
  moving: state.shown + 1 < state.target,
});

// Skips the animation.
/** @type {(state: State) => State} */
export const skipMoves = (state) => (state.moving ? showStep(state, state.target) : state);

/** @type {(state: State, fault?: string) => State} */
export const setFault = (state, fault = "") => ({ ...state, fault });

// Shows the answer to a request for hints, unless another step is shown by now.
/** @type {(state: State, at: number, answer: { error?: string, hints?: string[] }) => State} */
export const setHints = (state, at, { error = "", hints = [] }) =>
  at === state.shown ? { ...state, fault: error, hints } : state;

/** @type {(state: State, thinking: string) => State} */
export const setThinking = (state, thinking) => ({ ...state, thinking, waited: 0, progress: 0 });

/** @type {(state: State, milliseconds: number) => State} */
export function setWaited(state, milliseconds) {
  const waited = milliseconds < 1500 ? 0 : Math.round(milliseconds / 1000);
  return waited === state.waited ? state : { ...state, waited };
}

/** @type {(state: State, index: number | null) => State} */
export const focusPit = (state, index) =>
  index === state.here ? state : { ...state, here: index };

// ---- a position set up by hand

/** @type {(state: State) => State} */
export const beginEditing = (state) => {
  const { board, player } = stepOf(state);
  const editing = { board, mover: String(player), take: false, verdict: "", playable: false };
  return { ...state, hints: [], fault: "", editing };
};

/** @type {(state: State, change: Partial<Editing>) => State} */
export const changeEditing = (state, change) =>
  state.editing ? { ...state, editing: { ...state.editing, ...change } } : state;

// Adds or removes one stone, or sets the number to `to`.
/** @type {(state: State, index: number, fewer: boolean, to?: number) => State} */
export function pressPit(state, index, fewer, to) {
  if (!state.editing) return state;
  const { board, take } = state.editing;
  const stones = to ?? board[index] + (fewer || take ? -1 : 1);
  return changeEditing(state, { board: board.with(index, Math.max(0, stones)) });
}

// Handles a key on a pit or a store; returns the same state if the key has no meaning there.
/** @type {(state: State, index: number, key: string) => State} */
export function pressKey(state, index, key) {
  if (!state.editing) return state;
  const { board } = state.editing;
  const store = (index + 1) % (board.length / 2) === 0;
  if (/^\d$/.test(key)) return pressPit(state, index, false, Number(key));
  if (key === "+") return pressPit(state, index, false, board[index] + 1);
  if (["-", "−", "Delete", "Backspace"].includes(key)) return pressPit(state, index, true);
  return store && [" ", "Enter"].includes(key) ? pressPit(state, index, false) : state;
}

// Stores Python's verdict on a position, unless the position has changed since.
/** @type {(state: State, asked: Editing, answer: { message?: string, error?: string, playable?: boolean }) => State} */
export const setVerdict = (state, asked, { message, error, playable }) =>
  state.editing?.board === asked.board && state.editing.mover === asked.mover
    ? changeEditing(state, { verdict: message ?? error, playable: Boolean(playable) })
    : state;

// ---- selectors

// Returns the last move and the next one to move, in words.
/** @type {(state: State) => [done: string, next: string]} */
export function statusOf(state) {
  if (state.editing) return ["", "Setting up a position."];
  if (state.moving) return [`${nextMove(state).words}.`, ""];
  const { move, turn } = stepOf(state);
  return [move ? `${move.words}.` : "", `${turn}.`];
}

// Returns the value of the position, if it was reviewed, and the meaning of the bars, or why there
// are none.
/** @type {(state: State) => string} */
export const worthOf = (state) =>
  state.editing
    ? ""
    : [stepOf(state).worth, !state.moving && barsOf(state)].filter(Boolean).join(" ");

/** @type {(state: State) => string} */
function barsOf(state) {
  const { values, depth } = state.record;
  const { bars, player, why_not } = stepOf(state);
  if (why_not) return `No values: ${why_not}.`;
  if (!bars?.length) return "";
  if (values === "off") return `At the pits: the value of each move for ${NAMES[player]}.`;
  const by = values === "exact" ? "under perfect play" : `by a search ${depth} deep`;
  return `Bars: the value of each move for ${NAMES[player]}, ${by}. A dark bar is a best move.`;
}

// Returns what the review says about the last move, "" for a best one.
/** @type {(state: State) => string} */
export const mistakeOf = (state) =>
  (!state.editing && !state.moving && stepOf(state).review?.sentence) || "";

// Returns what the board shows. While a position is set up, there are no marks or bars, and
// everything can be pressed.
/** @type {(state: State) => Seen} */
export function seenOf(state) {
  const { editing, record } = state;
  const { bars = [], board, move, over, player, review } = stepOf(state);
  const turn = over ? -1 : player;
  if (!editing)
    return {
      board,
      move,
      legal: playableOf(state),
      bars,
      valued: record.values !== "off" || isReviewed(record),
      turn,
      editing: false,
      better: review?.better,
    };
  const all = [...editing.board.keys()];
  return {
    board: editing.board,
    move: null,
    legal: all,
    bars: [],
    valued: false,
    turn,
    editing: true,
  };
}

// Returns the pit that is in the tab order; arrows move to the others.
/** @type {(state: State) => number} */
export const hereOf = (state) => state.here ?? stepOf(state).legal[0] ?? 0;

// Returns the pit to which a key moves the focus; on the screen, North is above, from right to
// left.
/** @type {(state: State, key: string) => number | undefined} */
export function neighbourOf(state, key) {
  const half = stepOf(state).board.length / 2;
  const here = hereOf(state);
  const [owner, pit] = [Math.floor(here / half), here % half];
  const row = Array.from({ length: half - 1 }, (_, n) => owner * half + n);
  if (owner) row.reverse();
  const place = row.indexOf(here);
  /** @type {(other: number) => number} */
  const facing = (other) => other * half + (other === owner ? pit : half - 2 - pit);
  /** @type {Record<string, number>} */
  const ways = {
    ArrowLeft: row[Math.max(0, place - 1)],
    ArrowRight: row[Math.min(row.length - 1, place + 1)],
    ArrowUp: facing(1),
    ArrowDown: facing(0),
    Home: row[0],
    End: row[row.length - 1],
  };
  return ways[key];
}

// Yields the moments of a move, stone by stone; in the last one the hand is empty.
/** @type {(board: number[], move: Move) => Generator<Hand>} */
export function* handsOf(board, move) {
  const { drops, emptied, store } = move;
  const counts = [...board];
  /** @type {(from: number, to: number, held: number, pace: number, shown: Hand["move"]) => Hand} */
  const hand = (from, to, held, pace, shown) => {
    return { board: [...counts], move: shown, from, to, held, pace };
  };
  const sown = { from: move.from, drops: [], emptied: [] };
  let from = move.from;
  let held = board[from];
  counts[from] = 0;
  for (const to of drops) {
    if (held === 0) {
      held = counts[from]; // a relay takes up the stones where the last one fell
      counts[from] = 0;
    }
    yield hand(from, to, held, Math.min(HOP, SOWING / drops.length), sown);
    counts[to] += 1;
    held -= 1;
    from = to;
  }
  for (const [n, pit] of emptied.entries()) {
    held = counts[pit];
    counts[pit] = 0;
    yield hand(pit, store, held, 2 * HOP, { ...move, emptied: emptied.slice(0, n + 1) });
    counts[store] += held;
  }
  yield hand(store, store, 0, HOP, move);
}

// Returns the label of a pit or a store for screen readers.
/** @type {(seen: Seen, index: number) => string} */
export function labelOf({ bars, board, editing, legal, move }, index) {
  const half = board.length / 2;
  const [owner, pit] = [NAMES[Math.floor(index / half)], index % half];
  const bar = bars.find((candidate) => candidate.index === index);
  return [
    pit === half - 1 ? `${owner}'s store` : `pit ${pit + 1} of ${owner}`,
    `${board[index]} stone${board[index] === 1 ? "" : "s"}`,
    !editing && legal.includes(index) && "legal",
    bar && `value ${bar.text}`,
    move?.from === index && "sown last",
    move?.drops.at(-1) === index && "last stone fell here",
    move?.emptied.includes(index) && "captured",
  ]
    .filter(Boolean)
    .join(", ");
}
